import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useId } from 'react'
import { AuthenticationCard } from '../../entities/api/authentication-card.tsx'
import { paths } from '../../entities/paths.ts'
import { useSaveForm, type SaveTexts } from '../../lib/use-save-form.ts'
import { FormCard } from '../../ui/form-card.tsx'
import { FormFrame } from '../../ui/form-frame.tsx'
import { RadioChoice } from '../../ui/radio-choice.tsx'
import { AddressCheckRow } from './address-check-row.tsx'
import { ApiExtraCards } from './api-extra-cards.tsx'
import { chosenEndpoints, type ApiFormState, type ApiFormValues } from './api-form-values.ts'
import { PlannedEndpointsCard } from './planned-endpoints-card.tsx'
import { StoreProcedureCard } from './store-procedure-card.tsx'
import { TrafficPolicyCard } from './traffic-policy-card.tsx'

interface ApiFormProps {
  /** Undefined while it is new. */
  apiId?: number
  initialValues: ApiFormValues
  isPasswordStored?: boolean
  canCreateEndpoints?: boolean
  save: (values: ApiFormValues) => Promise<unknown>
  texts: SaveTexts
  onReload?: () => void
}

/** The spec's cards, then ours. The button reads alike on both (spec: api-form). */
export function ApiForm(props: ApiFormProps) {
  const { initialValues, isPasswordStored = false, canCreateEndpoints = false } = props
  const { save, texts, onReload } = props
  const form = useForm<ApiFormValues>({ mode: 'controlled', initialValues })
  // Endpoints that are created next take the place of the form.
  const hasMore = canCreateEndpoints && chosenEndpoints(form.values).length > 0
  const target = hasMore ? null : paths.apis
  const saving = useSaveForm({ form, save, texts, target })
  return (
    <FormFrame saving={saving} submitLabel="Create API" cancelPath={paths.apis} onReload={onReload}>
      <NameCard form={form} />
      <AuthenticationCard form={form} label="Auth Type" bearerLabel="Bearer token" />
      <TypeCard form={form} />
      {form.values.api_protocol === 'http' ? (
        <BaseUrlCard form={form} apiId={props.apiId} />
      ) : (
        <StoreProcedureCard form={form} apiId={props.apiId} isPasswordStored={isPasswordStored} />
      )}
      <ApiExtraCards form={form} apiId={props.apiId} />
      {form.values.api_protocol === 'http' && (
        <PlannedEndpointsCard form={form} canCreate={canCreateEndpoints} />
      )}
      <TrafficPolicyCard form={form} />
    </FormFrame>
  )
}

const protocols = [
  { value: 'http', label: 'HTTP' },
  { value: 'stored_procedure', label: 'Stored Procedure' },
]

function NameCard({ form }: { form: ApiFormState }) {
  const id = useId()
  return (
    <FormCard title="API Name" labelFor={id}>
      <TextInput id={id} {...form.getInputProps('name')} />
      <RadioChoice label="Protocol" choices={protocols} {...form.getInputProps('api_protocol')} />
    </FormCard>
  )
}

const statuses = [
  { value: 'active', label: 'Active' },
  { value: 'disabled', label: 'Disabled' },
]
const accesses = [
  { value: 'internally', label: 'Internally' },
  { value: 'externally', label: 'Externally' },
]

function TypeCard({ form }: { form: ApiFormState }) {
  return (
    <FormCard title="API Type">
      <RadioChoice
        label="Gateway status"
        choices={statuses}
        {...form.getInputProps('gateway_status')}
      />
      <RadioChoice label="Access" choices={accesses} {...form.getInputProps('api_access')} />
    </FormCard>
  )
}

function BaseUrlCard({ form, apiId }: { form: ApiFormState; apiId: number | undefined }) {
  const id = useId()
  return (
    <FormCard title="Base URL" labelFor={id}>
      <TextInput id={id} type="url" {...form.getInputProps('api_url')} />
      <AddressCheckRow apiId={apiId} url={form.values.api_url} />
    </FormCard>
  )
}
