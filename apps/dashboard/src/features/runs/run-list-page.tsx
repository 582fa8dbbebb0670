import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { toListQuery, useListParams } from '../../lib/list-params.ts'
import { useAddressFilter } from '../../lib/use-address-filter.ts'
import { ListView } from '../../ui/list-view.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { filterNames, isFiltered, readRunFilter, toRunQuery } from './run-filter.ts'
import { RunFilters } from './run-filters.tsx'
import { runQueries } from './run-queries.ts'
import { RunTable, runSortColumns } from './run-table.tsx'

/** Every run there has been, newest first. */
export function RunListPage() {
  const params = useListParams(runSortColumns)
  const filters = useAddressFilter(filterNames, readRunFilter)
  // The search box looks for what people have at hand: the reference of a document.
  const byReference = {
    ...params,
    search: filters.filter.reference,
    setSearch: (reference: string) => filters.setFilter({ reference }),
  }
  const query = { ...toListQuery({ ...params, search: '' }), ...toRunQuery(filters.filter) }
  const list = useQuery(runQueries.list(query))
  return (
    <Page
      title="History"
      subtitle="Every run of Build Request, tax and credit, newest first. Nothing here can be changed or deleted."
    >
      <ListView
        query={list}
        params={byReference}
        searchLabel="Search by reference"
        filters={<RunFilters {...filters} />}
        empty={
          isFiltered(filters.filter) ? (
            <Notice title="Nothing matches these filters." />
          ) : (
            <Notice title="No runs yet">
              <Text size="sm" c="dimmed">
                Whatever is sent from Build Request, Workflow or Credit stands here afterwards.
              </Text>
            </Notice>
          )
        }
      >
        {(rows) => <RunTable rows={rows} params={params} />}
      </ListView>
    </Page>
  )
}
