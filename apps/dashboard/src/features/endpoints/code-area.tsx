import { Textarea } from '@mantine/core'
import type { EndpointFormState } from './endpoint-form-values.ts'

interface CodeAreaProps {
  form: EndpointFormState
  /** The field, such as `validation.body_schema`. */
  field: string
  label: string
  hint: string
  /** For where the label is already above it. */
  isLabelHidden?: boolean
}

/** A field for code: it grows with what is typed, and stays left to right. */
export function CodeArea({ form, field, label, hint, isLabelHidden = false }: CodeAreaProps) {
  return (
    <Textarea
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      description={hint}
      autosize
      minRows={2}
      maxRows={16}
      spellCheck={false}
      dir="ltr"
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      {...form.getInputProps(field)}
    />
  )
}
