import { Anchor, Button, Code, Group, Text } from '@mantine/core'
import { IconRestore } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { AuditEvent, Permission, AuditThing } from '@gatehouse/contract'
import { useCan } from '../../lib/session/session.tsx'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Facts } from '../../ui/text/facts.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { newestVersionOf } from './newest-version.ts'
import { wordsOfAction, wordsOfThing } from './audit-words.ts'
import { OutcomeBadge } from './outcome-badge.tsx'
import { VersionTable } from './version-table.tsx'
import { paths } from '../../entities/paths.ts'

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
        <VersionTable event={event} />
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
  const newest = useQuery({ ...newestVersionOf(event), enabled: isOffered })
  if (!isOffered) return null
  if (newest.data?.id === event.id) {
    return (
      <Text size="sm" c="dimmed">
        This version is in force.
      </Text>
    )
  }
  return (
    <div>
      <Button
        variant="default"
        leftSection={<IconRestore size={16} />}
        loading={newest.isPending}
        onClick={() => onRestore(event)}
      >
        Restore this version
      </Button>
    </div>
  )
}

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
