import { Radio, Select, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useId } from 'react'
import { paths } from '../../lib/paths.ts'
import { useSaveForm, type SaveTexts } from '../../lib/use-save-form.ts'
import { FormCard } from '../../ui/form-card.tsx'
import { FormFrame } from '../../ui/form-frame.tsx'
import { ApiCallCards } from './api-call-cards.tsx'
import type { ApiFormValues } from './api-form-values.ts'
import { StoreProcedureCard } from './store-procedure-card.tsx'

interface ApiFormProps {
  initialValues: ApiFormValues
  /** Which secrets the server keeps already. */
  stored?: { password: boolean; upstreamToken: boolean }
  save: (values: ApiFormValues) => Promise<unknown>
  texts: SaveTexts
  onReload?: () => void
}

const noneStored = { password: false, upstreamToken: false }

/** Spec §2 "Create API and Edit API": the spec's cards, then ours. The button reads alike on both. */
export function ApiForm(props: ApiFormProps) {
  const { initialValues, stored = noneStored, save, texts, onReload = () => undefined } = props
  const form = useForm<ApiFormValues>({ mode: 'controlled', initialValues })
  const saving = useSaveForm({ form, save, texts, target: paths.apis })
  const nameId = useId()
  const isHttp = form.values.api_protocol === 'http'
  const strayErrors = Object.entries(form.errors).flatMap(([field, message]) =>
    field in initialValues ? [] : [String(message)],
  )
  return (
    <FormFrame
      saving={saving}
      submitLabel="Create API"
      cancelPath={paths.apis}
      strayErrors={strayErrors}
      onReload={onReload}
    >
      <FormCard title="API Name" labelFor={nameId}>
        <TextInput id={nameId} {...form.getInputProps('name')} />
        <Radio.Group label="Protocol" {...form.getInputProps('api_protocol')}>
          <RadioRow
            choices={[
              ['http', 'HTTP'],
              ['stored_procedure', 'Stored Procedure'],
            ]}
          />
        </Radio.Group>
      </FormCard>
      <FormCard
        title="Authentication"
        description="The gateway then asks its callers for a personal token with access to the endpoint."
      >
        <Switch
          label="Enable Authentication"
          {...form.getInputProps('authentication', { type: 'checkbox' })}
        />
        {form.values.authentication && (
          <Select
            label="Auth Type"
            data={[{ value: 'bearer_token', label: 'Bearer token' }]}
            allowDeselect={false}
            {...form.getInputProps('auth_type')}
          />
        )}
      </FormCard>
      <FormCard title="API Type">
        <Radio.Group label="Gateway status" {...form.getInputProps('gateway_status')}>
          <RadioRow
            choices={[
              ['active', 'Active'],
              ['disabled', 'Disabled'],
            ]}
          />
        </Radio.Group>
        <Radio.Group label="Access" {...form.getInputProps('api_access')}>
          <RadioRow
            choices={[
              ['internally', 'Internally'],
              ['externally', 'Externally'],
            ]}
          />
        </Radio.Group>
      </FormCard>
      {isHttp ? (
        <ApiCallCards form={form} isTokenStored={stored.upstreamToken} />
      ) : (
        <StoreProcedureCard form={form} isPasswordStored={stored.password} />
      )}
    </FormFrame>
  )
}
