import { useEffect, useState, type RefObject } from 'react'
import { labelOf } from './form-labels.ts'

/**
 * The labels of fields of a form, or of the page: they are in the document once the form has been drawn, and
 * those of a part whose code is loaded late once that part is.
 */
export function useFieldLabels(
  fields: readonly string[],
  form?: RefObject<HTMLFormElement | null>,
): string[] {
  const [labels, setLabels] = useState<string[]>([])
  const joined = fields.join('\n')
  useEffect(() => {
    const paths = joined === '' ? [] : joined.split('\n')
    const around = form?.current ?? document
    const read = () => {
      const found = paths.map((path) => labelOf(around, path))
      setLabels((known) => (known.join('\n') === found.join('\n') ? known : found))
    }
    read()
    const late = new MutationObserver(read)
    if (paths.length > 0) late.observe(around, { childList: true, subtree: true })
    return () => late.disconnect()
  }, [form, joined])
  return labels
}
