import { AddressFields } from '../../../entities/api/address-fields.tsx'
import type { ApiFormState } from '../form/api-form-values.ts'
import { PolicyPart } from './policy-part.tsx'

/** Which clients the API takes by their addresses. */
export function PolicyAddresses({ form }: { form: ApiFormState }) {
  return (
    <PolicyPart
      form={form}
      name="client_addresses"
      label="Client addresses"
      help="A client from another address is answered 403, whatever token it shows."
    >
      <AddressFields
        propsOf={(list) => form.getInputProps(`traffic_policy.client_addresses.${list}`)}
      />
    </PolicyPart>
  )
}
