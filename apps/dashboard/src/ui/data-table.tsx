import { Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useIsCut } from '../lib/is-cut.ts'
import type { ListParams } from '../lib/list-params.ts'
import { usePartOf, type SharedValue } from '../lib/shared-value.ts'
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
}

interface DataTableProps<Row, SortColumn extends string> {
  caption: string
  columns: readonly Column<Row, SortColumn>[]
  rows: Row[]
  rowKey: (row: Row) => number | string
  /** Absent: no column is sorted by. */
  params?: ListParams<SortColumn>
  /** Shown paler: what it says is not of now. */
  isFaded?: (row: Row) => boolean
  /** A box in the first column selects the row. */
  selection?: Selection<Row> | undefined
}

interface Selection<Row> {
  /** Of the rows that are selected. */
  keys: SharedValue<ReadonlySet<number | string>>
  /** Names the row for screen readers. */
  nameOf: (row: Row) => string
  /** Rows without a box are not selected; every row has one unless given. */
  canSelect?: ((row: Row) => boolean) | undefined
}

/**
 * A table with sortable heads. In a narrow place each row becomes a card; the roles are spelled
 * out because some browsers forget them once a table is laid out as anything else.
 */
export function DataTable<Row, SortColumn extends string>(props: DataTableProps<Row, SortColumn>) {
  const { caption, columns, rows, rowKey, params, isFaded, selection } = props
  const [ref, isCut] = useIsCut()
  return (
    <div className={classes['frame']} ref={ref} data-cut={isCut || undefined}>
      <Table className={classes['table'] ?? ''} {...role('table')} aria-label={caption}>
        <thead {...role('rowgroup')}>
          <tr {...role('row')} data-lead={sortBy}>
            {columns.map((column) => (
              <Head key={column.head} column={column} {...(params ? { params } : {})} />
            ))}
          </tr>
        </thead>
        <tbody {...role('rowgroup')}>
          {rows.map((row) => (
            <tr key={rowKey(row)} {...role('row')} data-faded={isFaded?.(row) || undefined}>
              {columns.map((column, at) => (
                <td key={column.head} {...role('cell')} data-figure={column.isFigure || undefined}>
                  <span className={classes['label']} aria-hidden>
                    {column.head}
                  </span>
                  <div className={classes['value']}>
                    {at === 0 && selection && selection.canSelect?.(row) !== false && (
                      <Box
                        rowKey={rowKey(row)}
                        name={selection.nameOf(row)}
                        keys={selection.keys}
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

interface BoxProps {
  rowKey: number | string
  name: string
  keys: Selection<never>['keys']
}

/** The browser's own: a page has up to a hundred. */
function Box({ rowKey, name, keys }: BoxProps) {
  const isSelected = usePartOf(keys, (selected) => selected.has(rowKey))
  const toggle = () => {
    const others = [...keys.get()].filter((each) => each !== rowKey)
    keys.set(new Set(isSelected ? others : [...others, rowKey]))
  }
  return (
    <input
      type="checkbox"
      className={classes['box']}
      aria-label={`Select ${name}`}
      checked={isSelected}
      onChange={toggle}
    />
  )
}

const role = (name: string) => ({ role: name })

interface HeadProps<Row, SortColumn extends string> {
  column: Column<Row, SortColumn>
  params?: ListParams<SortColumn>
}

function Head<Row, SortColumn extends string>({ column, params }: HeadProps<Row, SortColumn>) {
  const { head, sort, width, isFigure } = column
  const style = width === undefined ? {} : { width }
  if (sort === undefined || params === undefined) {
    return (
      <th {...role('columnheader')} scope="col" style={style} data-figure={isFigure || undefined}>
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
