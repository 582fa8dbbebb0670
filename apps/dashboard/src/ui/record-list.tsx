import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { toListQuery, useListParams, type ListQuery } from '../lib/list-params.ts'
import { useListSettings, type PageSize } from '../lib/list-settings.ts'
import { DataTable, type Column } from './data-table.tsx'
import { ListView, type ListViewTexts, type PageAnswer } from './list-view.tsx'

export interface RecordListProps<
  Row extends { id: number },
  SortColumn extends string,
  Key extends QueryKey,
> extends ListViewTexts {
  /** Names the table for screen readers, and what is remembered of the list. */
  caption: string
  /** The query for one page of the list. */
  list: (
    query: ListQuery<SortColumn>,
  ) => UseQueryOptions<PageAnswer<Row>, Error, PageAnswer<Row>, Key>
  /** Name of the search text in the address; `search` unless given. */
  searchName?: string
  columns: readonly Column<Row, SortColumn>[]
  /** The row's id unless given. */
  rowKey?: (row: Row) => string | number
  /** What the last column offers; `ask` opens the dialog for the row. */
  renderActions?: ((row: Row, ask: () => void) => ReactNode) | undefined
  /** Head and width of that column. */
  actionColumn?: { head?: string; width: string }
  /** The dialog for the row; the row is undefined while the dialog is closed. */
  renderDialog?: (row: Row | undefined, onClose: () => void) => ReactNode
  /** Shows the rows in another way than as a table; each then has its own frame. */
  renderRows?: (rows: Row[]) => ReactNode
}

/** Records with search, filters, pages and the states of fetching; page and order are in the address. */
export function RecordList<
  Row extends { id: number },
  SortColumn extends string,
  Key extends QueryKey,
>(props: RecordListProps<Row, SortColumn, Key>) {
  const { caption, renderActions, renderDialog, renderRows, rowKey = idOf, ...texts } = props
  const sortColumns = props.columns.flatMap(({ sort }) => (sort === undefined ? [] : [sort]))
  const params = useListParams(sortColumns, props.searchName)
  const { pageSize, change } = useListSettings(caption)
  const query = useQuery(props.list(toListQuery(params, pageSize)))
  function handlePageSize(size: PageSize) {
    change({ pageSize: size })
    // What was the first row stays in sight.
    params.setPage(Math.floor(((params.page - 1) * pageSize) / size) + 1, true)
  }
  const [asked, setAsked] = useState<Row>()
  const actions = (render: NonNullable<typeof renderActions>): Column<Row, SortColumn> => ({
    head: 'Action',
    width: '9rem',
    ...props.actionColumn,
    cell: (row) => render(row, () => setAsked(row)),
  })
  const table = (rows: Row[]) => (
    <DataTable
      caption={caption}
      columns={renderActions ? [...props.columns, actions(renderActions)] : props.columns}
      rows={rows}
      rowKey={rowKey}
      params={params}
    />
  )
  return (
    <>
      <ListView
        {...texts}
        query={query}
        params={params}
        pageSize={pageSize}
        onPageSize={handlePageSize}
        isFramed={renderRows === undefined}
      >
        {renderRows ?? table}
      </ListView>
      {renderDialog?.(asked, () => setAsked(undefined))}
    </>
  )
}

const idOf = ({ id }: { id: number }) => id
