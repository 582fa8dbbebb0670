import type { ApiFormState } from '../form/api-form-values.ts'
import { PolicyField, PolicyPart } from './policy-part.tsx'

/** How clients show who they are, beside Authorization: a header of its own, or a signature. */
export function PolicyKey({ form }: { form: ApiFormState }) {
  return (
    <>
      <PolicyPart
        form={form}
        name="api_key"
        label="API key in a header"
        help="Clients may show their personal token in this header in place of Authorization: Bearer. It never reaches the upstream."
      >
        <PolicyField form={form} field="api_key.header" label="Header" isText />
      </PolicyPart>
      <PolicyPart
        form={form}
        name="signature"
        label="Signed requests"
        help="Calls that need a token have to be signed with the signing secret of a personal token (RFC 9421, HMAC-SHA256): the token alone, and a JWT, open nothing. A body is held back until it fits its signature."
      >
        <PolicyField
          form={form}
          field="signature.window_seconds"
          label="A signature counts for"
          unit="seconds"
          description="From the time that it states; clocks may differ by as much. It counts once."
        />
      </PolicyPart>
    </>
  )
}
