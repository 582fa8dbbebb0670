import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query'
import { useRef, useState, type ReactNode } from 'react'
import { useRowKeys } from '../../lib/keys/use-row-keys.ts'
import { toListQuery, useListParams, type ListQuery } from '../../lib/page/list-params.ts'
import { useListSettings, type PageSize } from '../../lib/page/list-settings.ts'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { SharedValue, usePartOf, useSharedValue } from '../../lib/browser/shared-value.ts'
import { ColumnChoice } from './column-choice.tsx'
import { DataTable, type Column } from './data-table.tsx'
import type { Bulk, PickedBarProps } from './picked-bar.tsx'
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
  /** Head and width of that column. A wide one has no place beside the name where the room is narrow. */
  actionColumn?: { head?: string; width: string; isWide?: true }
  /** The dialog for the row; the row is undefined while the dialog is closed. */
  renderDialog?: (row: Row | undefined, onClose: () => void) => ReactNode
  /** Rows can be selected. */
  bulk?: Bulk<Row> | undefined
  /** Shows the rows in another way than as a table; each then has its own frame. */
  renderRows?: (rows: Row[]) => ReactNode
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
  const [allOf] = useState(() => new SharedValue<string | undefined>(undefined))
  const { search } = params
  const { head = 'Action', width = '9rem', isWide = false } = props.actionColumn ?? {}
  const actions = (render: NonNullable<typeof renderActions>): Column<Row, SortColumn> => ({
    head,
    width,
    isActions: !isWide,
    cell: (row) => render(row, () => asked.set(row)),
  })
  const table = (rows: Row[]) => (
    <>
      {bulk && (
        <WhilePicked picked={picked}>
          <PickedBar
            {...{ rows, picked, bulk, bulkDialog, allOf }}
            matching={JSON.stringify(props.list({ page: 1, limit: 1, search }).queryKey)}
            all={{ search, total: query.data?.[0].total ?? 0 }}
          />
        </WhilePicked>
      )}
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
  const list = useRef<HTMLDivElement>(null)
  useRowKeys(list, '[type=checkbox],[data-opens]')
  return (
    <div ref={list}>
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
    </div>
  )
}

// Comes with the first row that is selected.
const PickedBar = lazyPart<PickedBarProps<never>>(
  async () => (await import('./picked-bar.tsx')).PickedBar,
) as unknown as <Row extends { id: number }>(props: PickedBarProps<Row>) => ReactNode

interface WhilePickedProps {
  picked: PickedBarProps<never>['picked']
  children: ReactNode
}

function WhilePicked({ picked, children }: WhilePickedProps) {
  return usePartOf(picked, (keys) => keys.size > 0) && children
}

interface SharedProps<Value> {
  value: SharedValue<Value>
  children: (value: Value) => ReactNode
}

function Shared<Value>({ value, children }: SharedProps<Value>) {
  return children(useSharedValue(value))
}

const idOf = ({ id }: { id: number }) => id

const keyOf = ({ key, sort, head }: { key?: string; sort?: string; head: string }) =>
  key ?? sort ?? head
