import { useEffect, useState, type RefObject } from 'react'
import { labelOf } from './form-labels.ts'

/** The labels of fields of a form, or of the page: they are in the document once the form has been drawn. */
export function useFieldLabels(
  fields: readonly string[],
  form?: RefObject<HTMLFormElement | null>,
): string[] {
  const [labels, setLabels] = useState<string[]>([])
  const joined = fields.join('\n')
  useEffect(() => {
    const paths = joined === '' ? [] : joined.split('\n')
    // oxlint-disable-next-line react/set-state-in-effect -- a label is known once its field is in the document
    setLabels(paths.map((path) => labelOf(form?.current ?? document, path)))
  }, [form, joined])
  return labels
}
