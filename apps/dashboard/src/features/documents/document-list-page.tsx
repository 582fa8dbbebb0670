import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { toListQuery, useListParams } from '../../lib/list-params.ts'
import { ListView } from '../../ui/list-view.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { DocumentFilters } from './document-filters.tsx'
import { documentQueries } from './document-queries.ts'
import { documentSortColumns, DocumentTable } from './document-table.tsx'
import { useDocumentFilter } from './use-document-filter.ts'

/** Every document that a run carried: what is known of it, and what may be done with it. */
export function DocumentListPage() {
  const params = useListParams(documentSortColumns)
  const { filter, setFilter } = useDocumentFilter()
  const list = useQuery(documentQueries.list({ ...toListQuery(params), ...filter }))
  const isFiltered = Object.keys(filter).length > 0
  return (
    <Page
      title="Documents"
      subtitle="One row for each reference that was sent. What may have been accepted is not sent twice."
    >
      <ListView
        query={list}
        params={params}
        searchLabel="Search references"
        filters={<DocumentFilters filter={filter} setFilter={setFilter} />}
        empty={isFiltered ? <Notice title="Nothing matches these filters." /> : <NoDocuments />}
      >
        {(rows) => <DocumentTable caption="Documents" rows={rows} params={params} />}
      </ListView>
    </Page>
  )
}

function NoDocuments() {
  return (
    <Notice title="No documents yet">
      <Text size="sm" c="dimmed" maw={460}>
        A run adds a document when one of its endpoints has a document reference path. Set it in the
        endpoint’s form, under Tax and credit runs.
      </Text>
    </Notice>
  )
}
