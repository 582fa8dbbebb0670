import type { ApiFormState } from './api-form-values.ts'
import { PolicyField, PolicyPart } from './policy-part.tsx'

/** Where clients show a personal token beside Authorization. */
export function PolicyKey({ form }: { form: ApiFormState }) {
  return (
    <PolicyPart
      form={form}
      name="api_key"
      label="API key in a header"
      help="Clients may show their personal token in this header in place of Authorization: Bearer. It never reaches the upstream."
    >
      <PolicyField form={form} field="api_key.header" label="Header" isText />
    </PolicyPart>
  )
}
