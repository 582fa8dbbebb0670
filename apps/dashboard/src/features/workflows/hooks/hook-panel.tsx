import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { HookRecord } from '@gatehouse/contract'
import { paths } from '../../../entities/paths.ts'
import { messageOf } from '../../../lib/calls/call-error.ts'
import { notifyError, notifySuccess } from '../../../lib/page/notify.tsx'
import { useCan } from '../../../lib/session/session.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Copied } from '../../../ui/text/copied.tsx'
import { Disclosure } from '../../../ui/page/disclosure.tsx'
import { Facts } from '../../../ui/text/facts.tsx'
import { Moment } from '../../../ui/text/moment.tsx'
import { QueryLoader } from '../../../ui/page/query-loader.tsx'
import { hookQueries, useDeleteHook } from './hook-queries.ts'
import { hookMessages } from '../workflows-messages.ts'

const hookPresetWords: Record<HookRecord['preset'], string> = {
  standard: 'Standard Webhooks',
  salla: 'Salla',
  shopify: 'Shopify',
  github: 'GitHub',
  custom: 'Custom',
}

/** The webhooks by which other systems start a workflow. */
export function HookPanel({ workflowId }: { workflowId: number }) {
  return (
    <Disclosure title="Webhooks" note="Other systems start runs with signed messages.">
      <Hooks workflowId={workflowId} />
    </Disclosure>
  )
}

function Hooks({ workflowId }: { workflowId: number }) {
  const can = useCan()
  const query = useQuery(hookQueries.list(workflowId))
  return (
    <Stack gap="md">
      <QueryLoader query={query} failureText={hookMessages.listNotLoaded}>
        {(hooks) => (
          <>
            {hooks.length === 0 && (
              <Text size="sm" c="dimmed">
                No webhook starts this workflow yet.
              </Text>
            )}
            {hooks.map((hook) => (
              <Hook key={hook.id} hook={hook} />
            ))}
          </>
        )}
      </QueryLoader>
      {can('workflow.edit') && can('workflow.run') && (
        <Group>
          <Button component={Link} to={paths.messages(workflowId, 'new')} size="sm" variant="light">
            Add webhook
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function Hook({ hook }: { hook: HookRecord }) {
  const can = useCan()
  const address = `${window.location.origin}/hooks/${hook.name}`
  return (
    <Stack component="section" gap="xs" aria-label={`Webhook ${hook.name}`}>
      <Group gap="sm">
        <Text fw={600}>{hook.name}</Text>
        <Badge color={hook.is_paused ? 'orange' : 'green'}>
          {hook.is_paused ? 'Paused' : 'Active'}
        </Badge>
        {can('workflow.edit') && (
          <>
            <Button
              component={Link}
              to={paths.messages(hook.workflow_id, hook.id)}
              size="compact-sm"
              variant="default"
              aria-label={`Edit ${hook.name}`}
            >
              Edit
            </Button>
            <DeleteButton hook={hook} />
          </>
        )}
      </Group>
      <Facts facts={factsOf(hook, address)} />
    </Stack>
  )
}

function factsOf(hook: HookRecord, address: string) {
  const { filter, last_received_at, last_refused_at, last_refusal, old_secret_until } = hook
  return [
    [
      'Address',
      <Copied key="address" text={address} description={`the address of ${hook.name}`} />,
    ],
    ['Signed as', `${hookPresetWords[hook.preset]} (${hook.scheme.header})`],
    ...(filter ? [['Only where', `${filter.name} is ${filter.equals}`] as const] : []),
    ['On behalf of', hook.user_name],
    ...(old_secret_until === null
      ? []
      : [['Old secret until', <Moment key="old" at={old_secret_until} />] as const]),
    [
      'Last received',
      last_received_at === null ? (
        <>never</>
      ) : (
        <Moment key="received" at={last_received_at} isRelative />
      ),
    ],
    ...(last_refused_at === null
      ? []
      : [
          [
            'Last refused',
            <span key="refused">
              <Moment at={last_refused_at} isRelative />: {last_refusal}
            </span>,
          ] as const,
        ]),
  ] as const
}

function DeleteButton({ hook: { id, name, workflow_id } }: { hook: HookRecord }) {
  const [isAsking, setIsAsking] = useState(false)
  const deleting = useDeleteHook(workflow_id)

  async function handleDelete() {
    try {
      await deleting.mutateAsync(id)
      setIsAsking(false)
      notifySuccess('The webhook is deleted.')
    } catch (error) {
      notifyError('The webhook was not deleted.', messageOf(error))
    }
  }
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setIsAsking(true)}>
        Delete
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={`Delete the webhook ${name}?`}
        confirmLabel="Delete"
        isWorking={deleting.isPending}
        onConfirm={() => void handleDelete()}
        onClose={() => setIsAsking(false)}
      >
        <Text size="sm">Messages to its address are refused from now on. Its runs stay.</Text>
      </ConfirmDialog>
    </>
  )
}
