import { Button, Text, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import type { AuditEvent } from '@gatehouse/contract'
import { useListParams } from '../../lib/list-params.ts'
import { useAddressFilter } from '../../lib/use-address-filter.ts'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { auditFilterNames, isFiltered, readAuditFilter, toAuditQuery } from './audit-filter.ts'
import { AuditFilters } from './audit-filters.tsx'
import { auditEvents, useRestoreVersion } from './audit-queries.ts'
import { ExportButton } from './export-button.tsx'
import { OutcomeBadge } from './outcome-badge.tsx'

const AuditEventDialog = lazyPart(
  async () => (await import('./audit-event-dialog.tsx')).AuditEventDialog,
)

type SortColumn = 'id' | 'at' | 'actor' | 'action'

const restoreTexts = {
  title: 'Restore this version?',
  confirm: 'Restore version',
  done: 'Version restored successfully!',
}

/** Who did what, when and from where, newest first; nothing in it can be changed. */
export function AuditPage() {
  const filters = useAddressFilter(auditFilterNames, readAuditFilter)
  const filter = toAuditQuery(filters.filter)
  const { search } = useListParams([])
  const restoring = useRestoreVersion()
  const [restored, setRestored] = useState<AuditEvent>()
  return (
    <>
      <ListPage
        title="Audit Trail"
        subtitle="Every change, sign-in, refusal and token, newest first. Nothing here can be changed."
        actions={<ExportButton query={{ ...filter, ...(search === '' ? {} : { search }) }} />}
        list={(query) => auditEvents.list({ ...query, ...filter })}
        columns={columns}
        actionColumn={{ head: 'Details', width: '7rem' }}
        renderActions={(event, ask) => <DetailsButton event={event} onClick={ask} />}
        renderDialog={(event, onClose) =>
          event && (
            <AuditEventDialog
              event={event}
              onRestore={(restored) => {
                onClose()
                setRestored(restored)
              }}
              onClose={onClose}
            />
          )
        }
        searchLabel="Search the trail"
        filters={{ fields: <AuditFilters {...filters} />, areSet: isFiltered(filters.filter) }}
        empty={{ title: 'No events yet' }}
      />
      <ActionDialog
        row={restored}
        texts={restoreTexts}
        renderConsequences={(event) => <WhatReturns event={event} />}
        perform={(event) => restoring.mutateAsync(event.id)}
        onClose={() => setRestored(undefined)}
      />
    </>
  )
}

const columns: Column<AuditEvent, SortColumn>[] = [
  { head: 'When', sort: 'at', width: '12rem', cell: (row) => <Moment at={row.at} /> },
  {
    head: 'Who',
    sort: 'actor',
    cell: (row) => (
      <>
        <Text size="sm" fw={600}>
          {row.actor === '' ? 'not signed in' : row.actor}
        </Text>
        <Text size="xs" c="dimmed">
          {row.address}
        </Text>
      </>
    ),
  },
  {
    head: 'Action',
    sort: 'action',
    cell: (row) => (
      <Text size="sm" ff="monospace">
        {row.action}
      </Text>
    ),
  },
  {
    head: 'Thing',
    cell: (row) => (
      <>
        <Text size="sm">{row.thing_name}</Text>
        <Text size="xs" c="dimmed">
          {row.thing_id === null ? row.thing : `${row.thing} #${row.thing_id}`}
        </Text>
      </>
    ),
  },
  { head: 'Outcome', width: '9rem', cell: (row) => <OutcomeBadge event={row} /> },
]

function DetailsButton({ event, onClick }: { event: AuditEvent; onClick: () => void }) {
  return (
    <Button variant="default" size="compact-sm" onClick={onClick}>
      Details
      <VisuallyHidden>
        {' '}
        of {event.action} {event.thing_name}
      </VisuallyHidden>
    </Button>
  )
}

function WhatReturns({ event }: { event: AuditEvent }) {
  return (
    <Text size="sm">
      The {event.thing} <b>{event.thing_name}</b> returns to the version that this event saved.
      Later changes are replaced; stored passwords and tokens stay as they are. The audit trail
      records the restore as an event, so you can undo it in the same way.
    </Text>
  )
}
