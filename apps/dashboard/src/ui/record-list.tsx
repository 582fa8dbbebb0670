import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { toListQuery, useListParams, type ListQuery } from '../lib/list-params.ts'
import { useListSettings, type PageSize } from '../lib/list-settings.ts'
import { ColumnChoice } from './column-choice.tsx'
import { DataTable, type Column, type Selection } from './data-table.tsx'
import { SelectionBar } from './selection-bar.tsx'
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
  /**
   * Rows can be selected; `renderBar` is what can be done to those that are. What it shows by `show` stays
   * when the rows go from the list.
   */
  bulk?:
    | {
        nameOf: (row: Row) => string
        renderBar: (rows: Row[], show: (dialog: ReactNode) => void) => ReactNode
      }
    | undefined
  /** Shows the rows in another way than as a table; each then has its own frame. */
  renderRows?: (rows: Row[]) => ReactNode
}

/** Records with search, filters, pages and the states of fetching; page and order are in the address. */
export function RecordList<
  Row extends { id: number },
  SortColumn extends string,
  Key extends QueryKey,
>(props: RecordListProps<Row, SortColumn, Key>) {
  const { caption, renderActions, renderDialog, renderRows, rowKey = idOf, bulk, ...texts } = props
  const sortColumns = props.columns.flatMap(({ sort }) => (sort === undefined ? [] : [sort]))
  const params = useListParams(sortColumns, props.searchName)
  const { pageSize, columns: chosen, change } = useListSettings(caption)
  const isShown = ({ head, isExtra }: Column<Row, SortColumn>) => chosen[head] ?? !isExtra
  const query = useQuery(props.list(toListQuery(params, pageSize)))
  function handlePageSize(size: PageSize) {
    change({ pageSize: size })
    // What was the first row stays in sight.
    params.setPage(Math.floor(((params.page - 1) * pageSize) / size) + 1, true)
  }
  const [first, ...others] = props.columns
  const columns = first ? [first, ...others.filter(isShown)] : []
  const [asked, setAsked] = useState<Row>()
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set())
  const [bulkDialog, setBulkDialog] = useState<ReactNode>()
  const pick = (ids: Iterable<number>) => setPicked(new Set(ids))
  const selection: Selection<Row> | undefined = bulk && {
    nameOf: bulk.nameOf,
    has: ({ id }) => picked.has(id),
    toggle: ({ id }) =>
      pick(picked.has(id) ? [...picked].filter((each) => each !== id) : [...picked, id]),
  }
  const actions = (render: NonNullable<typeof renderActions>): Column<Row, SortColumn> => ({
    head: 'Action',
    width: '9rem',
    ...props.actionColumn,
    cell: (row) => render(row, () => setAsked(row)),
  })
  const table = (rows: Row[]) => {
    // Only what is in sight counts: the bar acts on nothing that another page or filter hides.
    const selected = rows.filter(({ id }) => picked.has(id))
    return (
      <>
        {bulk && selected.length > 0 && (
          <SelectionBar
            selected={selected.length}
            shown={rows.length}
            onAll={() => pick(rows.map(idOf))}
            onClear={() => pick([])}
          >
            {bulk.renderBar(selected, setBulkDialog)}
          </SelectionBar>
        )}
        <DataTable
          caption={caption}
          columns={renderActions ? [...columns, actions(renderActions)] : columns}
          rows={rows}
          rowKey={rowKey}
          params={params}
          selection={selection}
        />
      </>
    )
  }
  return (
    <>
      <ListView
        {...texts}
        query={query}
        params={params}
        pageSize={pageSize}
        onPageSize={handlePageSize}
        tools={
          // The first column names the row, and has its box.
          others.some(({ isExtra }) => isExtra) && (
            <ColumnChoice
              columns={others.map((column) => ({ head: column.head, isShown: isShown(column) }))}
              onChange={(head, isWanted) => change({ columns: { ...chosen, [head]: isWanted } })}
            />
          )
        }
        isFramed={renderRows === undefined}
      >
        {renderRows ?? table}
      </ListView>
      {bulkDialog}
      {renderDialog?.(asked, () => setAsked(undefined))}
    </>
  )
}

const idOf = ({ id }: { id: number }) => id
