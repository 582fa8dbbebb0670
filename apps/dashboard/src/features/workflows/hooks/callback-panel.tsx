import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '../../../entities/paths.ts'
import { messageOf } from '../../../lib/calls/call-error.ts'
import { notifyError, notifySuccess } from '../../../lib/page/notify.tsx'
import { useCan } from '../../../lib/session/session.tsx'
import { Copied } from '../../../ui/text/copied.tsx'
import { Disclosure } from '../../../ui/page/disclosure.tsx'
import { Moment } from '../../../ui/text/moment.tsx'
import type { Workflow } from '../read-workflow.ts'
import { useSetCallback, useTestCallback } from '../workflow-queries.ts'
import { callbackMessages } from '../workflows-messages.ts'

/** Where the results of a workflow are sent. */
export function CallbackPanel({ workflow }: { workflow: Workflow }) {
  const can = useCan()
  const { id, callback } = workflow
  const note = callback ? `Results are sent to ${callback.url}` : 'Results are not sent anywhere.'
  return (
    <Disclosure title="Callback" note={note}>
      <Stack gap="md">
        {callback && <Stored {...callback} />}
        <Group gap="sm">
          {can('workflow.edit') && (
            <>
              <Button
                component={Link}
                to={paths.messages(id, 'callback')}
                size="sm"
                variant="light"
              >
                {callback ? 'Edit callback' : 'Set a callback'}
              </Button>
              {callback && <StoredVerbs workflow={workflow} />}
            </>
          )}
          {callback && (
            <Anchor component={Link} to={`${paths.deliveries}?workflow=${id}`} size="sm">
              Deliveries of this workflow
            </Anchor>
          )}
        </Group>
      </Stack>
    </Disclosure>
  )
}

function Stored({ url, old_secret_until }: NonNullable<Workflow['callback']>) {
  return (
    <Stack gap="xs">
      <Copied text={url} description="the address of the receiver" />
      {old_secret_until && (
        <Text size="sm" c="dimmed">
          The secret before signs too until <Moment at={old_secret_until} />
        </Text>
      )}
    </Stack>
  )
}

function StoredVerbs({ workflow: { id, version } }: { workflow: Workflow }) {
  const testing = useTestCallback()
  const setting = useSetCallback(id)

  async function handleTest() {
    try {
      const { delivery_id } = await testing.mutateAsync(id)
      notifySuccess(`A test is on its way: delivery ${delivery_id}.`)
    } catch (error) {
      notifyError('The test was not sent.', messageOf(error))
    }
  }
  async function handleRemove() {
    try {
      await setting.mutateAsync({ callback: null, version })
      notifySuccess('Results are not sent any more.')
    } catch (error) {
      notifyError(callbackMessages.notSaved.text, messageOf(error))
    }
  }
  return (
    <>
      <Button
        size="sm"
        variant="default"
        loading={testing.isPending}
        onClick={() => void handleTest()}
      >
        Send a test
      </Button>
      <Button
        size="sm"
        variant="default"
        loading={setting.isPending}
        onClick={() => void handleRemove()}
      >
        Remove
      </Button>
    </>
  )
}
