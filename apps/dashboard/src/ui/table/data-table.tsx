import { Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useIsCut } from '../../lib/format/is-cut.ts'
import type { ListParams } from '../../lib/page/list-params.ts'
import { openingRows } from './open-row.ts'
import { PageBox, RowBox, useLastPressed, type Selection } from './row-box.tsx'
import classes from './data-table.module.css'

export interface Column<Row, SortColumn extends string> {
  head: string
  /** What the choice of it is kept under, in every language: its `sort` unless given. */
  key?: string
  cell: (row: Row) => ReactNode
  /** The column the server sorts by; none makes a plain head. */
  sort?: SortColumn
  width?: string | number
  /** Numbers that are compared down the column stand under each other. */
  isFigure?: boolean
  /** Shown only to users who choose it. */
  isExtra?: boolean
  /** Names the row: where there is no room for a table, a row is this and a line of the other columns. */
  isName?: boolean
  /** Left out of that line. */
  isMinor?: boolean
  /** What can be done to the row. */
  isActions?: boolean
}

interface DataTableProps<Row, SortColumn extends string> {
  caption: string
  columns: readonly Column<Row, SortColumn>[]
  rows: Row[]
  rowKey: (row: Row) => number | string
  /** Absent: no column is sorted by. */
  params?: ListParams<SortColumn>
  /** Its details are shown. */
  current?: number | string | undefined
  /** Shown paler: what it says is not of now. */
  isFaded?: (row: Row) => boolean
  /** A box in the first column selects the row. */
  selection?: Selection<Row> | undefined
}

/**
 * A table with sortable heads. In a narrow place each row becomes two lines, or a card where no column names
 * it; the roles are spelled out because some browsers forget them once a table is laid out as anything else.
 */
export function DataTable<Row, SortColumn extends string>(props: DataTableProps<Row, SortColumn>) {
  const { caption, columns, rows, rowKey, params, current, isFaded, selection } = props
  const [ref, isCut] = useIsCut()
  const last = useLastPressed()
  const canSelect = (row: Row) => selection !== undefined && selection.canSelect?.(row) !== false
  const order = rows.filter(canSelect).map(rowKey)
  const hasNames = columns.some(({ isName }) => isName)
  return (
    <div className={classes['frame']} ref={ref} data-cut={isCut || undefined}>
      <Table
        className={classes['table'] ?? ''}
        {...role('table')}
        aria-label={caption}
        data-lines={hasNames || undefined}
      >
        <thead {...role('rowgroup')}>
          <tr {...role('row')} data-lead={sortBy}>
            {columns.map((column, at) => (
              <Head key={column.head} column={column} {...(params ? { params } : {})}>
                {at === 0 && selection && order.length > 0 && (
                  <PageBox keys={selection.keys} order={order} />
                )}
              </Head>
            ))}
          </tr>
        </thead>
        <tbody {...role('rowgroup')} {...openingRows}>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              {...role('row')}
              data-faded={isFaded?.(row) || undefined}
              data-current={(current !== undefined && rowKey(row) === current) || undefined}
            >
              {columns.map((column, at) => (
                <td
                  key={column.head}
                  {...role('cell')}
                  data-figure={column.isFigure || undefined}
                  data-part={hasNames ? partOf(column, at === 0 && canSelect(row)) : undefined}
                >
                  <span className={classes['label']} aria-hidden>
                    {column.head}
                  </span>
                  <div className={classes['value']}>
                    {at === 0 && selection && canSelect(row) && (
                      <RowBox
                        rowKey={rowKey(row)}
                        name={selection.nameOf(row)}
                        keys={selection.keys}
                        {...{ order, last }}
                      />
                    )}
                    {column.cell(row)}
                  </div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}

/** Before the heads, where rows are cards. */
const sortBy = 'Sort by'

/** Which place a cell has in the two lines of a row. */
function partOf(
  { isName, isActions, isMinor }: Pick<Column<never, string>, 'isName' | 'isActions' | 'isMinor'>,
  hasBox: boolean,
): string | undefined {
  if (isName) return 'name'
  if (isActions) return 'actions'
  if (hasBox) return 'box'
  return isMinor ? 'minor' : undefined
}

const role = (name: string) => ({ role: name })

interface HeadProps<Row, SortColumn extends string> {
  column: Column<Row, SortColumn>
  params?: ListParams<SortColumn>
  /** Before the text. */
  children?: ReactNode
}

function Head<Row, SortColumn extends string>(props: HeadProps<Row, SortColumn>) {
  const { column, params, children } = props
  const { head, sort, width, isFigure } = column
  const style = width === undefined ? {} : { width }
  if (sort === undefined || params === undefined) {
    return (
      <th {...role('columnheader')} scope="col" style={style} data-figure={isFigure || undefined}>
        {children}
        {head}
      </th>
    )
  }
  const order = orderOf(sort, params.sort)
  const Arrow = { none: IconArrowsSort, ascending: IconArrowUp, descending: IconArrowDown }[order]
  return (
    <th
      {...role('columnheader')}
      scope="col"
      style={style}
      aria-sort={order}
      data-sortable
      data-figure={isFigure || undefined}
    >
      {children}
      <UnstyledButton className={classes['sort'] ?? ''} onClick={() => params.toggleSort(sort)}>
        {head}
        <Arrow size={14} aria-hidden data-order={order} />
      </UnstyledButton>
    </th>
  )
}

function orderOf(column: string, sort: string | undefined) {
  if (sort === column) return 'ascending'
  return sort === `-${column}` ? 'descending' : 'none'
}
