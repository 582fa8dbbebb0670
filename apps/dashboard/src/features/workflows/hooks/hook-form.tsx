import { Checkbox, Select, SimpleGrid, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { HookRecord } from '@gatehouse/contract'
import { paths } from '../../../entities/paths.ts'
import { useSaveForm } from '../../../lib/forms/use-save-form.ts'
import { FormCard } from '../../../ui/form/form-card.tsx'
import { FormFrame } from '../../../ui/form/form-frame.tsx'
import { SecretField } from '../../../ui/form/secret-field.tsx'
import { useSaveHook } from './hook-queries.ts'
import { toHookBody, toHookValues, type HookFormState } from './hook-values.ts'
import { hookMessages } from '../workflows-messages.ts'
import { neededField } from '../../../ui/form/field-looks.ts'

interface HookFormProps {
  workflowId: number
  /** Undefined: a new one. */
  hook?: HookRecord
  /** With the secret that a save has made. */
  onSecret: (secret: string) => void
}

const presets = [
  { value: 'standard', label: 'Standard Webhooks' },
  { value: 'salla', label: 'Salla' },
  { value: 'shopify', label: 'Shopify' },
  { value: 'github', label: 'GitHub' },
  { value: 'custom', label: 'Custom' },
]

/** Where a system sends its messages, how they are signed, and which of them start a run. */
export function HookForm({ workflowId, hook, onSecret }: HookFormProps) {
  const initialValues = toHookValues(hook)
  const form = useForm({ mode: 'controlled', initialValues })
  const saveHook = useSaveHook(workflowId).mutateAsync
  const { values } = form
  const isSecretMade = hook ? values.new_secret : values.secret === ''
  const path = paths.workflow(workflowId)
  const saving = useSaveForm({
    form,
    initialValues,
    save: async (sent) => {
      const answer = await saveHook({ id: hook?.id, body: toHookBody(sent) })
      if (answer.secret !== null) onSecret(answer.secret)
    },
    texts: hookMessages,
    // A new secret is shown once: the user leaves the form when it is copied.
    target: () => (isSecretMade ? null : path),
  })
  return (
    <FormFrame saving={saving} submitLabel="Save webhook" cancelPath={path}>
      <FormCard title="Address">
        <TextInput
          label="Name"
          {...neededField}
          description={`${window.location.origin}/hooks/${values.name || '…'}`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={60}
          spellCheck={false}
          {...form.getInputProps('name')}
        />
        <Checkbox
          label="Paused: the sender is asked to try again later"
          {...form.getInputProps('is_paused', { type: 'checkbox' })}
        />
      </FormCard>
      <SignatureCard form={form} isNew={hook === undefined} />
      <FilterCard form={form} />
    </FormFrame>
  )
}

function SignatureCard({ form, isNew }: { form: HookFormState; isNew: boolean }) {
  return (
    <FormCard title="Signature">
      <Select
        label="Signed as"
        data={presets}
        allowDeselect={false}
        {...form.getInputProps('preset')}
      />
      {form.values.preset === 'custom' && <SchemeFields form={form} />}
      <SecretField
        label={isNew ? 'Secret (blank: one is made and shown once)' : 'Secret'}
        storedText="A secret is stored"
        isStored={!isNew}
        value={form.values.secret}
        onChange={(value) => form.setFieldValue('secret', value)}
        error={form.errors['secret']}
      />
      {!isNew && (
        <Checkbox
          label="Make a new secret. The one before is accepted for 24 hours."
          {...form.getInputProps('new_secret', { type: 'checkbox' })}
        />
      )}
    </FormCard>
  )
}

function FilterCard({ form }: { form: HookFormState }) {
  const { where } = form.values.filter
  return (
    <FormCard title="Messages that start a run">
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <Select
          label="Which messages"
          data={[
            { value: '', label: 'All' },
            { value: 'header', label: 'Where a header is' },
            { value: 'body', label: 'Where the body has' },
          ]}
          allowDeselect={false}
          {...form.getInputProps('filter.where')}
        />
        {where !== '' && (
          <>
            <TextInput
              label={where === 'header' ? 'Header' : 'Path in the body'}
              maxLength={200}
              spellCheck={false}
              {...form.getInputProps('filter.name')}
            />
            <TextInput
              label="Equals"
              maxLength={200}
              spellCheck={false}
              {...form.getInputProps('filter.equals')}
            />
          </>
        )}
      </SimpleGrid>
    </FormCard>
  )
}

function SchemeFields({ form }: { form: HookFormState }) {
  const isDated = form.values.scheme.signed !== 'body'
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput label="Signature header" {...form.getInputProps('scheme.header')} />
      <TextInput label="Prefix" {...form.getInputProps('scheme.prefix')} />
      <Select
        label="Encoding"
        data={['hex', 'base64']}
        allowDeselect={false}
        {...form.getInputProps('scheme.encoding')}
      />
      <Select
        label="What is signed"
        data={[
          { value: 'body', label: 'The body' },
          { value: 'timestamp.body', label: 'Timestamp.body' },
          { value: 'id.timestamp.body', label: 'Id.timestamp.body' },
        ]}
        allowDeselect={false}
        {...form.getInputProps('scheme.signed')}
      />
      {isDated && (
        <TextInput label="Timestamp header" {...form.getInputProps('scheme.timestamp_header')} />
      )}
      {form.values.scheme.signed === 'id.timestamp.body' && (
        <TextInput label="Id header" {...form.getInputProps('scheme.id_header')} />
      )}
    </SimpleGrid>
  )
}
