import { WordsInput } from '../../ui/words-input.tsx'
import type { ApiFormState } from './api-form-values.ts'
import { PolicyPart } from './policy-part.tsx'
import classes from './policy-part.module.css'

/** Which clients the API takes by their addresses. */
export function PolicyAddresses({ form }: { form: ApiFormState }) {
  return (
    <PolicyPart
      form={form}
      name="client_addresses"
      label="Client addresses"
      help="A client from another address is answered 403, whatever token it shows."
    >
      <Addresses
        form={form}
        field="allow"
        label="Allowed addresses"
        description="Like 203.0.113.7 or 10.0.0.0/8. Blank: all that are not denied. Enter adds one."
      />
      <Addresses
        form={form}
        field="deny"
        label="Denied addresses"
        description="Refused, even where a range above holds them. Enter adds one."
      />
    </PolicyPart>
  )
}

interface AddressesProps {
  form: ApiFormState
  field: 'allow' | 'deny'
  label: string
  description: string
}

function Addresses({ form, field, label, description }: AddressesProps) {
  return (
    <WordsInput
      label={label}
      description={description}
      splitChars={[',', ' ', '\n', '\t']}
      classNames={{ input: classes['tags'] ?? '' }}
      {...form.getInputProps(`traffic_policy.client_addresses.${field}`)}
    />
  )
}
