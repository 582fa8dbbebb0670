import { Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { SwitchCard } from '../../ui/form/switch-card.tsx'

interface AuthenticationCardProps<Values extends { authentication: boolean }> {
  form: UseFormReturnType<Values>
  /** The spec's words; the API form and the endpoint form have different ones. */
  label: string
  bearerLabel: string
  /** Why callers need a token although the switch is off. */
  note?: string | undefined
  isInCard?: boolean
}

/** Whether callers of the gateway need a personal token, on an API and on an endpoint. */
export function AuthenticationCard<Values extends { authentication: boolean }>(
  props: AuthenticationCardProps<Values>,
) {
  const { form, label, bearerLabel, note, isInCard = false } = props
  return (
    <SwitchCard
      label="Enable Authentication"
      description={note ?? 'The gateway then lets in only callers whose personal token has access.'}
      isOn={form.values.authentication}
      isInCard={isInCard}
      {...form.getInputProps('authentication')}
    >
      <Select
        label={label}
        data={[{ value: 'bearer_token', label: bearerLabel }]}
        allowDeselect={false}
        {...form.getInputProps('auth_type')}
      />
    </SwitchCard>
  )
}
