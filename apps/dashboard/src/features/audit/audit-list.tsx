import { Button, Text, VisuallyHidden } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { AuditEvent } from '@gatehouse/contract'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import type { ListQuery } from '../../lib/page/list-params.ts'
import { ActionDialog } from '../../ui/dialog/action-dialog.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { opens } from '../../ui/table/open-row.ts'
import { auditEvents, useRestoreVersion } from './audit-queries.ts'
import { wordsOfAction, wordsOfThing } from './audit-words.ts'
import { OutcomeBadge } from './outcome-badge.tsx'

const AuditEventDialog = lazyPart(
  async () => (await import('./audit-event-dialog.tsx')).AuditEventDialog,
)

const WhatReturns = lazyPart(async () => (await import('./what-returns.tsx')).WhatReturns)

type SortColumn = 'id' | 'at' | 'actor' | 'action'
type Filter = Partial<Parameters<typeof auditEvents.list>[0]>

const restoreTexts = {
  title: 'Restore this version?',
  confirm: 'Restore version',
  done: 'Version restored successfully!',
}

/** A list of events: what `RecordList` shows of it, and the dialog that stands beside it. */
export function useAuditList(filter: Filter) {
  const restoring = useRestoreVersion()
  const [restored, setRestored] = useState<AuditEvent>()
  const dialog: ReactNode = (
    <ActionDialog
      row={restored}
      texts={restoreTexts}
      isWide
      renderConsequences={(event) => <WhatReturns event={event} />}
      perform={(event) => restoring.mutateAsync(event.id)}
      onClose={() => setRestored(undefined)}
    />
  )
  const list = {
    list: (query: ListQuery<SortColumn>) => auditEvents.list({ ...query, ...filter }),
    columns,
    actionColumn: { head: 'Details', width: '7rem' },
    renderActions: (event: AuditEvent, ask: () => void) => (
      <DetailsButton event={event} onClick={ask} />
    ),
    renderDialog: (event: AuditEvent | undefined, onClose: () => void) =>
      event && (
        <AuditEventDialog
          event={event}
          onRestore={(version) => {
            onClose()
            setRestored(version)
          }}
          onClose={onClose}
        />
      ),
    searchLabel: 'Search the trail',
  }
  return { list, dialog }
}

const columns: Column<AuditEvent, SortColumn>[] = [
  { head: 'When', sort: 'at', width: '10rem', cell: (row) => <Moment at={row.at} isRelative /> },
  {
    head: 'Who',
    sort: 'actor',
    width: '11rem',
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
    isName: true,
    sort: 'action',
    width: '13rem',
    cell: (row) => (
      <>
        <Text size="sm">{wordsOfAction(row.action)}</Text>
        <Text size="xs" c="dimmed" ff="monospace">
          {row.action}
        </Text>
      </>
    ),
  },
  {
    head: 'Thing',
    cell: (row) => (
      <>
        <Text size="sm">{row.thing_name}</Text>
        <Text size="xs" c="dimmed">
          {wordsOfThing(row.thing)}
          {row.thing_id !== null && ` #${row.thing_id}`}
        </Text>
      </>
    ),
  },
  { head: 'Outcome', width: '9rem', cell: (row) => <OutcomeBadge event={row} /> },
]

function DetailsButton({ event, onClick }: { event: AuditEvent; onClick: () => void }) {
  return (
    <Button variant="default" size="compact-sm" onClick={onClick} {...opens}>
      Details
      <VisuallyHidden>
        {' '}
        of {wordsOfAction(event.action)} {event.thing_name}
      </VisuallyHidden>
    </Button>
  )
}
