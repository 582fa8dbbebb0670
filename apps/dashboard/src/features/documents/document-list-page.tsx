import { Text } from '@mantine/core'
import type { DocumentRecord } from '@gatehouse/contract'
import { useAddressFilter } from '../../lib/page/use-address-filter.ts'
import type { Column } from '../../ui/table/data-table.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { DocumentBadge, DocumentLink } from '../../entities/document/document-badge.tsx'
import {
  documentFilterNames,
  documentTerms,
  DocumentFilters,
  readDocumentFilter,
  toDocumentQuery,
} from './document-filters.tsx'
import { documentQueries } from './document-queries.ts'
import { RegisterNames } from '../../entities/document/register-names.tsx'
import { documentKindWords } from '../../entities/document/document-words.ts'

type SortColumn = 'id' | 'reference' | 'state' | 'updated_at'

/** Every document that a run sent: its state, and what can be done with it. */
export function DocumentListPage() {
  const { filter, setFilter } = useAddressFilter(documentFilterNames, readDocumentFilter)
  return (
    <ListPage
      id="documents"
      title="Documents"
      subtitle="One row for each reference that was sent. What may have been accepted is not sent twice."
      list={(query) => documentQueries.list({ ...query, ...toDocumentQuery(filter) })}
      columns={columns}
      searchLabel="Search references"
      filters={{
        fields: <DocumentFilters filter={filter} setFilter={setFilter} />,
        areSet: Object.keys(filter).length > 0,
        terms: documentTerms,
      }}
      empty={{
        title: 'No documents yet',
        hint: 'A run adds a document when one of its endpoints has a document reference path. Set it in the endpoint’s form, under Tax and credit runs.',
      }}
    />
  )
}

const columns: Column<DocumentRecord, SortColumn>[] = [
  {
    head: 'Reference',
    isName: true,
    sort: 'reference',
    width: '28%',
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
  // A number may be there once for each register: on a phone too the list tells them apart.
  { head: 'Register', cell: (row) => <RegisterNames names={[row.register]} /> },
  {
    head: 'Kind',
    cell: (row) => <Text size="sm">{documentKindWords[row.kind]}</Text>,
  },
  { head: 'State', sort: 'state', cell: (row) => <DocumentBadge state={row.state} /> },
  {
    head: 'Authority reference',
    isMinor: true,
    cell: (row) => (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <bdi>{row.authority_reference ?? '–'}</bdi>
      </Text>
    ),
  },
  { head: 'Runs', width: '5rem', isFigure: true, isMinor: true, cell: (row) => row.runs },
  {
    head: 'Last change',
    sort: 'updated_at',
    width: '12rem',
    cell: (row) => <Moment at={row.updated_at} isRelative />,
  },
]
