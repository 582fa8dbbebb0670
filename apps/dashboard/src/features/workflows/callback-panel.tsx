import { Anchor, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState, type SubmitEvent } from 'react'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { CallError, messageOf } from '../../lib/call-error.ts'
import { firstMessages } from '../../lib/field-errors.ts'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import { useCan } from '../../lib/session.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Moment } from '../../ui/moment.tsx'
import { SecretField } from '../../ui/secret-field.tsx'
import type { Workflow } from './read-workflow.ts'
import { useSetCallback, useTestCallback } from './workflow-queries.ts'
import { NewSecret } from './new-secret.tsx'

/** Where the results of a workflow are sent. */
export function CallbackPanel({ workflow }: { workflow: Workflow }) {
  const can = useCan()
  const { callback } = workflow
  const note = callback ? `Results are sent to ${callback.url}` : 'Results are not sent anywhere.'
  return (
    <Disclosure title="Callback" note={note}>
      <Stack gap="md">
        {callback && <Stored workflow={workflow} />}
        {can('workflow.edit') && <CallbackForm workflow={workflow} />}
      </Stack>
    </Disclosure>
  )
}

function Stored({ workflow: { id, callback } }: { workflow: Workflow }) {
  const can = useCan()
  const testing = useTestCallback()

  async function handleTest() {
    try {
      const { delivery_id } = await testing.mutateAsync(id)
      notifySuccess(`A test is on its way: delivery ${delivery_id}.`)
    } catch (error) {
      notifyError('The test was not sent.', messageOf(error))
    }
  }
  return (
    <Group gap="sm">
      {can('workflow.edit') && (
        <Button
          size="sm"
          variant="default"
          loading={testing.isPending}
          onClick={() => void handleTest()}
        >
          Send a test
        </Button>
      )}
      <Anchor component={Link} to={`${paths.deliveries}?workflow=${id}`} size="sm">
        Deliveries of this workflow
      </Anchor>
      {callback?.old_secret_until && (
        <Text size="sm" c="dimmed">
          The secret before signs too until <Moment at={callback.old_secret_until} />
        </Text>
      )}
    </Group>
  )
}

function CallbackForm({ workflow }: { workflow: Workflow }) {
  const { callback } = workflow
  const form = useForm({
    mode: 'controlled',
    initialValues: { url: callback?.url ?? '', secret: '', new_secret: false },
  })
  const saving = useSetCallback(workflow.id)
  const [made, setMade] = useState<string | null>(null)

  async function save(next: typeof form.values | null, done: string) {
    form.clearErrors()
    setMade(null)
    try {
      const answer = await saving.mutateAsync({ callback: next, version: workflow.version })
      form.setValues({ url: answer.callback?.url ?? '', secret: '', new_secret: false })
      setMade(answer.callback?.secret ?? null)
      notifySuccess(done)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      const messages = Object.entries(firstMessages(error.errors))
      form.setErrors(
        Object.fromEntries(messages.map(([name, text]) => [name.replace('callback.', ''), text])),
      )
      if (messages.length === 0) notifyError('The callback was not saved.', messageOf(error))
    }
  }
  function handleSubmit(event: SubmitEvent) {
    event.preventDefault()
    if (!saving.isPending) void save(form.values, 'The callback is saved.')
  }
  return (
    <form onSubmit={handleSubmit} noValidate autoComplete="off">
      <Stack gap="sm">
        <TextInput
          label="URL"
          placeholder="https://erp.example.com/gatehouse"
          maxLength={2000}
          spellCheck={false}
          dir="ltr"
          {...form.getInputProps('url')}
        />
        <SecretField
          label="Secret"
          storedText="A secret is stored"
          isStored={callback !== null}
          value={form.values.secret}
          onChange={(value) => form.setFieldValue('secret', value)}
          error={form.errors['secret']}
        />
        {callback === null ? (
          <Text size="xs" c="dimmed">
            Leave it blank to have one made. It is shown once.
          </Text>
        ) : (
          <Checkbox
            label="Make a new secret. The one before signs too for 24 hours, to the same host."
            {...form.getInputProps('new_secret', { type: 'checkbox' })}
          />
        )}
        <div aria-live="polite">{made !== null && <NewSecret secret={made} />}</div>
        <Group gap="sm">
          <Button type="submit" size="sm" loading={saving.isPending}>
            Save callback
          </Button>
          {callback && (
            <Button
              size="sm"
              variant="default"
              disabled={saving.isPending}
              onClick={() => void save(null, 'Results are not sent any more.')}
            >
              Remove
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
