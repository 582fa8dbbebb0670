import { Button, Checkbox, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { SubmitEvent } from 'react'
import type { HookRecord } from '@gatehouse/contract'
import { CallError, messageOf } from '../../lib/call-error.ts'
import { firstMessages } from '../../lib/field-errors.ts'
import { notifyError } from '../../lib/notify.tsx'
import { SecretField } from '../../ui/secret-field.tsx'
import { useSaveHook, type SavedHook } from './hook-queries.ts'
import { toHookBody, toHookValues, type HookFormState } from './hook-values.ts'

interface HookFormProps {
  workflowId: number
  /** Undefined: a new one. */
  hook: HookRecord | undefined
  onSaved: (answer: SavedHook) => void
  onClose: () => void
}

const presets = [
  { value: 'standard', label: 'Standard Webhooks' },
  { value: 'salla', label: 'Salla' },
  { value: 'shopify', label: 'Shopify' },
  { value: 'github', label: 'GitHub' },
  { value: 'custom', label: 'Custom' },
]

export function HookForm({ workflowId, hook, onSaved, onClose }: HookFormProps) {
  const form = useForm({ mode: 'controlled', initialValues: toHookValues(hook) })
  const saving = useSaveHook(workflowId)

  async function save() {
    form.clearErrors()
    try {
      onSaved(await saving.mutateAsync({ id: hook?.id, body: toHookBody(form.values) }))
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      const messages = firstMessages(error.errors)
      form.setErrors(messages)
      if (Object.keys(messages).length === 0)
        notifyError('The webhook was not saved.', messageOf(error))
    }
  }
  function handleSubmit(event: SubmitEvent) {
    event.preventDefault()
    if (!saving.isPending) void save()
  }
  return (
    <form onSubmit={handleSubmit} noValidate autoComplete="off" aria-label="Webhook">
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label="Name"
            description={`${window.location.origin}/hooks/${form.values.name || '…'}`}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={60}
            spellCheck={false}
            {...form.getInputProps('name')}
          />
          <Select
            label="Signed as"
            data={presets}
            allowDeselect={false}
            {...form.getInputProps('preset')}
          />
        </SimpleGrid>
        {form.values.preset === 'custom' && <SchemeFields form={form} />}
        <SecretField
          label={hook ? 'Secret' : 'Secret (blank: one is made and shown once)'}
          storedText="A secret is stored"
          isStored={hook !== undefined}
          value={form.values.secret}
          onChange={(value) => form.setFieldValue('secret', value)}
          error={form.errors['secret']}
        />
        {hook && (
          <Checkbox
            label="Make a new secret. The one before is accepted for 24 hours."
            {...form.getInputProps('new_secret', { type: 'checkbox' })}
          />
        )}
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
          {form.values.filter.where !== '' && (
            <>
              <TextInput
                label={form.values.filter.where === 'header' ? 'Header' : 'Path in the body'}
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
        <Checkbox
          label="Paused: the sender is asked to try again later"
          {...form.getInputProps('is_paused', { type: 'checkbox' })}
        />
        <Group gap="sm">
          <Button type="submit" size="sm" loading={saving.isPending}>
            Save webhook
          </Button>
          <Button size="sm" variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
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
