import { Anchor, Button, Code, Group, Text } from '@mantine/core'
import { IconRestore } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { AuditEvent, Permission, AuditThing } from '@gatehouse/contract'
import { useCan } from '../../lib/session/session.tsx'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Facts } from '../../ui/text/facts.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { restorePreviewOf } from './audit-queries.ts'
import { wordsOfAction, wordsOfThing } from './audit-words.ts'
import { OutcomeBadge } from './outcome-badge.tsx'
import { paths } from '../../entities/paths.ts'
import { VersionTable } from '../../entities/version/version-table.tsx'
import { reasonOf } from '../../lib/calls/call-error.ts'

interface AuditEventDialogProps {
  event: AuditEvent
  onRestore: (event: AuditEvent) => void
  onClose: () => void
}

/** One event in full: who, when, from where, what, and the record before and after. */
export function AuditEventDialog({ event, onRestore, onClose }: AuditEventDialogProps) {
  return (
    <Dialog isOpen title={wordsOfAction(event.action)} onClose={onClose}>
      <Details event={event} />
      <RestoreButton event={event} onRestore={onRestore} />
    </Dialog>
  )
}

function Details({ event }: { event: AuditEvent }) {
  const can = useCan()
  const path = thingPath(event, can)
  const kind = wordsOfThing(event.thing)
  const name = event.thing_name === '' ? kind : `${kind}: ${event.thing_name}`
  return (
    <>
      <Facts
        facts={[
          ['When', <Moment key="when" at={event.at} />],
          ['Who', event.actor === '' ? 'not signed in' : event.actor],
          ['From where', event.address],
          ['Action', <Code key="action">{event.action}</Code>],
          ['Outcome', <OutcomeBadge key="outcome" event={event} />],
          [
            'What',
            path === undefined ? (
              name
            ) : (
              <Anchor key="what" component={Link} to={path} inherit>
                {name}
              </Anchor>
            ),
          ],
          [
            'Request id',
            <Group key="request" gap="xs">
              <Code>{event.request_id}</Code>
              <CopyButton text={event.request_id} label="Copy" description="the request id" />
            </Group>,
          ],
        ]}
      />
      {event.before === null && event.after === null ? (
        <Text size="sm" c="dimmed">
          No record was changed.
        </Text>
      ) : (
        <VersionTable
          label="Before and after"
          heads={['Before', 'After']}
          before={event.before}
          after={event.after}
        />
      )}
    </>
  )
}

const editPermission: Partial<Record<AuditEvent['thing'], Permission>> = {
  api: 'api.edit',
  endpoint: 'endpoint.edit',
  role: 'role.edit',
  workflow: 'workflow.edit',
}

interface RestoreButtonProps {
  event: AuditEvent
  onRestore: (event: AuditEvent) => void
}

function RestoreButton({ event, onRestore }: RestoreButtonProps) {
  const can = useCan()
  const needed = editPermission[event.thing]
  const isOffered = event.can_restore && needed !== undefined && can(needed)
  const preview = useQuery({ ...restorePreviewOf(event.id), enabled: isOffered })
  if (!isOffered) return null
  if (preview.data?.is_in_force) return <Quiet>This version is in force.</Quiet>
  if (preview.isError) return <Quiet>{reasonOf(preview.error)}</Quiet>
  return (
    <div>
      <Button
        variant="default"
        leftSection={<IconRestore size={16} />}
        loading={preview.isPending}
        onClick={() => onRestore(event)}
      >
        Restore this version
      </Button>
    </div>
  )
}

const Quiet = ({ children }: { children: ReactNode }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
)

/** The screens that records have, and who may see them. */
const screens: Partial<Record<AuditThing, { path: (id: number) => string; needs: Permission }>> = {
  api: { path: paths.apiEdit, needs: 'api.edit' },
  endpoint: { path: paths.endpointEdit, needs: 'endpoint.edit' },
  user: { path: paths.userEdit, needs: 'user.view' },
  role: { path: paths.roleEdit, needs: 'role.view' },
  run: { path: paths.run, needs: 'run.view' },
  workflow: { path: paths.workflow, needs: 'workflow.view' },
  access: { path: paths.accessEdit, needs: 'api-permission.view' },
}

/** Path of the screen of an event's record; undefined if there is none, or this user can't see it. */
export function thingPath(
  { thing, thing_id, action }: AuditEvent,
  can: (permission: Permission) => boolean,
): string | undefined {
  const screen = screens[thing]
  if (!screen || thing_id === null || action.endsWith('.delete') || !can(screen.needs)) {
    return undefined
  }
  return screen.path(thing_id)
}
