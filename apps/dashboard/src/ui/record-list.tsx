import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { toListQuery, useListParams, type ListQuery } from '../lib/list-params.ts'
import { useListSettings, type PageSize } from '../lib/list-settings.ts'
import { SharedValue, useSharedValue } from '../lib/shared-value.ts'
import { ColumnChoice } from './column-choice.tsx'
import { DataTable, type Column } from './data-table.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { ListView, type ListViewTexts, type PageAnswer } from './list-view.tsx'

export interface RecordListProps<
  Row extends { id: number },
  SortColumn extends string,
  Key extends QueryKey,
> extends ListViewTexts {
  /** What is remembered of the list is kept under it: the same in every language and release. */
  id: string
  /** Names the table for screen readers. */
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
  /** Rows can be selected. */
  bulk?: Bulk<Row> | undefined
  /** Shows the rows in another way than as a table; each then has its own frame. */
  renderRows?: (rows: Row[]) => ReactNode
}

interface Bulk<Row> {
  nameOf: (row: Row) => string
  /** Every row unless given. */
  canSelect?: (row: Row) => boolean
  /** What can be done to the selected rows. What it shows by `show` stays when the rows go from the list. */
  renderBar: (rows: Row[], show: (dialog: ReactNode) => void) => ReactNode
}

/** Records with search, filters, pages and the states of fetching; page and order are in the address. */
export function RecordList<
  Row extends { id: number },
  SortColumn extends string,
  Key extends QueryKey,
>(props: RecordListProps<Row, SortColumn, Key>) {
  const {
    id,
    caption,
    renderActions,
    renderDialog,
    renderRows,
    rowKey = idOf,
    bulk,
    ...texts
  } = props
  const sortColumns = props.columns.flatMap(({ sort }) => (sort === undefined ? [] : [sort]))
  const params = useListParams(sortColumns, props.searchName)
  const { pageSize, columns: chosen, change } = useListSettings(id)
  const isShown = (column: Column<Row, SortColumn>) => chosen[keyOf(column)] ?? !column.isExtra
  const query = useQuery(props.list(toListQuery(params, pageSize)))
  function handlePageSize(size: PageSize) {
    change({ pageSize: size })
    // What was the first row stays in sight.
    params.setPage(Math.floor(((params.page - 1) * pageSize) / size) + 1, true)
  }
  const [first, ...others] = props.columns
  const columns = first ? [first, ...others.filter(isShown)] : []
  // Not state of the list: to select a row, or to open a dialog, draws no row again.
  const [asked] = useState(() => new SharedValue<Row | undefined>(undefined))
  const [picked] = useState(() => new SharedValue<ReadonlySet<number | string>>(new Set()))
  const [bulkDialog] = useState(() => new SharedValue<ReactNode>(undefined))
  const actions = (render: NonNullable<typeof renderActions>): Column<Row, SortColumn> => ({
    head: 'Action',
    width: '9rem',
    ...props.actionColumn,
    cell: (row) => render(row, () => asked.set(row)),
  })
  const table = (rows: Row[]) => (
    <>
      {bulk && <PickedBar rows={rows} picked={picked} {...{ bulk, bulkDialog }} />}
      <DataTable
        caption={caption}
        columns={renderActions ? [...columns, actions(renderActions)] : columns}
        rows={rows}
        rowKey={rowKey}
        params={params}
        selection={bulk && { keys: picked, ...bulk }}
      />
    </>
  )
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
              columns={others.map((column) => ({
                key: keyOf(column),
                head: column.head,
                isShown: isShown(column),
              }))}
              onChange={(key, isWanted) => change({ columns: { ...chosen, [key]: isWanted } })}
            />
          )
        }
        isFramed={renderRows === undefined}
      >
        {renderRows ?? table}
      </ListView>
      <Shared value={bulkDialog}>{(dialog) => dialog}</Shared>
      {renderDialog && (
        <Shared value={asked}>{(row) => renderDialog(row, () => asked.set(undefined))}</Shared>
      )}
    </>
  )
}

interface SharedProps<Value> {
  value: SharedValue<Value>
  children: (value: Value) => ReactNode
}

function Shared<Value>({ value, children }: SharedProps<Value>) {
  return children(useSharedValue(value))
}

interface PickedBarProps<Row> {
  rows: Row[]
  picked: SharedValue<ReadonlySet<number | string>>
  bulk: Bulk<Row>
  bulkDialog: SharedValue<ReactNode>
}

function PickedBar<Row extends { id: number }>(props: PickedBarProps<Row>) {
  const { rows, picked, bulk, bulkDialog } = props
  const ids = useSharedValue(picked)
  // Only what is in sight counts: the bar acts on nothing that another page or filter hides.
  const shown = rows.filter((row) => bulk.canSelect?.(row) !== false)
  const selected = shown.filter(({ id }) => ids.has(id))
  return (
    selected.length > 0 && (
      <SelectionBar
        selected={selected.length}
        shown={shown.length}
        onAll={() => picked.set(new Set(shown.map(idOf)))}
        onClear={() => picked.set(new Set())}
      >
        {bulk.renderBar(selected, bulkDialog.set)}
      </SelectionBar>
    )
  )
}

const idOf = ({ id }: { id: number }) => id

const keyOf = ({ key, sort, head }: { key?: string; sort?: string; head: string }) =>
  key ?? sort ?? head
