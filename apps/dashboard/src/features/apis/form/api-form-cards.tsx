import { SimpleGrid, Switch, TextInput } from '@mantine/core'
import { AuthenticationCard } from '../../../entities/api/authentication-card.tsx'
import { TagsField } from '../../../entities/tag/tags-field.tsx'
import { partOf } from '../../../lib/forms/form-part.ts'
import { FormCard } from '../../../ui/form/form-card.tsx'
import { FormSection } from '../../../ui/form/form-section.tsx'
import { RadioChoice } from '../../../ui/form/radio-choice.tsx'
import { AddressCheckRow } from './address-check-row.tsx'
import type { ApiFormState } from './api-form-values.ts'
import { RegisterField } from '../register/register-field.tsx'
import { SignInSection, TestUrlSection } from '../sign-in/sign-in-card.tsx'
import { StoreProcedureSection } from '../procedures/store-procedure-card.tsx'
import { TlsSection } from '../policy/tls-card.tsx'
import { TrafficPolicySection } from '../policy/traffic-policy-card.tsx'
import { neededField } from '../../../ui/form/field-looks.ts'

export const protocols = [
  { value: 'http', label: 'HTTP' },
  { value: 'stored_procedure', label: 'Stored Procedure' },
]
export const statuses = [
  { value: 'active', label: 'Active' },
  { value: 'disabled', label: 'Disabled' },
]
export const accesses = [
  { value: 'internally', label: 'Internally' },
  { value: 'externally', label: 'Externally' },
]

interface BasicsCardProps {
  form: ApiFormState
  /** A draft has the name and the protocol of its API. */
  isOfDraft: boolean
}

/** What it is called, and who gets in. */
export function BasicsCard({ form, isOfDraft }: BasicsCardProps) {
  return (
    <FormCard title="Basics" description="What it is called, and who gets in.">
      {isOfDraft ? (
        <>
          <TextInput
            label="API Name"
            {...neededField}
            description="A draft keeps the name and the protocol of its API. Change the name under Settings."
            readOnly
            variant="filled"
            {...form.getInputProps('name')}
          />
          <TextInput
            label="Protocol"
            readOnly
            variant="filled"
            value={protocols.find(({ value }) => value === form.values.api_protocol)?.label ?? ''}
          />
        </>
      ) : (
        <>
          <TextInput label="API Name" {...neededField} {...form.getInputProps('name')} />
          <RadioChoice
            label="Protocol"
            choices={protocols}
            {...form.getInputProps('api_protocol')}
          />
        </>
      )}
      <FormSection title="API Type">
        <RadioChoice
          label="Gateway status"
          choices={statuses}
          {...form.getInputProps('gateway_status')}
        />
        <RadioChoice label="Access" choices={accesses} {...form.getInputProps('api_access')} />
        <Switch
          label="Offer to agents"
          description="Agents find what only reads among their tools, within the access of their token’s roles. What changes something is offered at its endpoint."
          {...form.getInputProps('offer_to_agents', { type: 'checkbox' })}
        />
        <AuthenticationCard form={form} label="Auth Type" bearerLabel="Bearer token" isInCard />
      </FormSection>
      <TagsField
        of="apis"
        label="Tags"
        description="Words of your own to find it by in the list. Enter adds one."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.getInputProps('tags')}
      />
    </FormCard>
  )
}

interface ConnectionCardProps {
  form: ApiFormState
  /** Undefined while the API is new. */
  apiId: number | undefined
  isPasswordStored: boolean
  /** A draft has the register of its API. */
  isOfDraft: boolean
}

/** Where calls go, and what they show there. What is seldom set is folded and says what is set. */
export function ConnectionCard({ form, apiId, isPasswordStored, isOfDraft }: ConnectionCardProps) {
  const register = !isOfDraft && <RegisterField form={form} apiId={apiId} />
  const isHttp = form.values.api_protocol === 'http'
  return (
    <FormCard title="Connection" description="Where calls go, and what they show there.">
      {isHttp ? (
        <>
          <TextInput
            label="Base URL"
            {...neededField}
            type="url"
            {...form.getInputProps('api_url')}
          />
          <AddressCheckRow apiId={apiId} url={form.values.api_url} />
          {register}
          <SignInSection form={form} apiId={apiId} />
          <TestUrlSection form={form} apiId={apiId} />
          <TlsSection part={partOf(form, 'tls')} hasErrors={hasErrorIn(form, 'tls.')} />
        </>
      ) : (
        <>
          <StoreProcedureSection form={form} apiId={apiId} isPasswordStored={isPasswordStored} />
          {register}
        </>
      )}
    </FormCard>
  )
}

/** How long the gateway waits, and what it does to the traffic beyond passing it on. */
export function LimitsCard({ form }: { form: ApiFormState }) {
  return (
    <FormCard title="Limits and policy" description="What the gateway does to the traffic.">
      <FormSection title="Time-outs" description="In milliseconds.">
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label="Connect time-out"
            inputMode="numeric"
            placeholder="5000"
            {...form.getInputProps('connect_timeout_ms')}
          />
          <TextInput
            label="Answer time-out"
            inputMode="numeric"
            placeholder="30000"
            {...form.getInputProps('answer_timeout_ms')}
          />
        </SimpleGrid>
      </FormSection>
      <TrafficPolicySection form={form} />
    </FormCard>
  )
}

const hasErrorIn = (form: ApiFormState, start: string) =>
  Object.keys(form.errors).some((field) => field.startsWith(start))
