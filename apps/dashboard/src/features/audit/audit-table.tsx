import { Button, Text, VisuallyHidden } from '@mantine/core'
import type { AuditEvent } from '@gatehouse/contract'
import type { ListParams } from '../../lib/list-params.ts'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { OutcomeBadge } from './outcome-badge.tsx'

export const auditSortColumns = ['id', 'at', 'actor', 'action'] as const
type SortColumn = (typeof auditSortColumns)[number]

interface AuditTableProps {
  rows: AuditEvent[]
  params: ListParams<SortColumn>
  onOpen: (event: AuditEvent) => void
}

export function AuditTable({ rows, params, onOpen }: AuditTableProps) {
  return (
    <DataTable
      caption="Audit Trail"
      columns={[...columns, detailsColumn(onOpen)]}
      rows={rows}
      rowKey={(row) => row.id}
      params={params}
    />
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
          {row.actor === '' ? 'nobody signed in' : row.actor}
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

function detailsColumn(onOpen: (event: AuditEvent) => void): Column<AuditEvent, SortColumn> {
  return {
    head: 'Details',
    width: '7rem',
    cell: (row) => (
      <Button variant="default" size="compact-sm" onClick={() => onOpen(row)}>
        Details
        <VisuallyHidden>
          {' '}
          of {row.action} {row.thing_name}
        </VisuallyHidden>
      </Button>
    ),
  }
}
