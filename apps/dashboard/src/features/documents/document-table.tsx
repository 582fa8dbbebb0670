import { Anchor, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { DocumentRecord } from '@gatehouse/contract'
import type { ListParams } from '../../lib/list-params.ts'
import { paths } from '../../entities/paths.ts'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { TestBadge } from '../../entities/run/run-badges.tsx'
import { DocumentBadge } from './document-badge.tsx'
import { documentKindWords } from './document-words.ts'

export const documentSortColumns = ['id', 'reference', 'state', 'updated_at'] as const
type SortColumn = (typeof documentSortColumns)[number]

interface DocumentTableProps {
  caption: string
  rows: DocumentRecord[]
  params: ListParams<SortColumn>
}

export function DocumentTable({ caption, rows, params }: DocumentTableProps) {
  return (
    <DataTable
      caption={caption}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.id}
      params={params}
    />
  )
}

const columns: Column<DocumentRecord, SortColumn>[] = [
  {
    head: 'Reference',
    sort: 'reference',
    width: '34%',
    cell: (row) => (
      <>
        <DocumentLink document={row} />
        {row.original_reference !== null && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            credits <bdi>{row.original_reference}</bdi>
          </Text>
        )}
      </>
    ),
  },
  {
    head: 'Kind',
    cell: (row) => <Text size="sm">{documentKindWords[row.kind]}</Text>,
  },
  { head: 'State', sort: 'state', cell: (row) => <DocumentBadge state={row.state} /> },
  {
    head: 'Authority reference',
    cell: (row) => (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <bdi>{row.authority_reference ?? '–'}</bdi>
      </Text>
    ),
  },
  { head: 'Runs', width: '5rem', cell: (row) => row.runs },
  {
    head: 'Last change',
    sort: 'updated_at',
    width: '12rem',
    cell: (row) => <Moment at={row.updated_at} />,
  },
]

/** A document by its reference, whatever its direction, marked where it is a test. */
export function DocumentLink({ document }: { document: DocumentRecord }) {
  return (
    <Group gap="xs">
      <Anchor
        component={Link}
        to={paths.document(document.id)}
        size="sm"
        fw={600}
        style={{ overflowWrap: 'anywhere' }}
      >
        <bdi>{document.reference}</bdi>
      </Anchor>
      {document.is_test && <TestBadge />}
    </Group>
  )
}
