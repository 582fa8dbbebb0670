import type { ReactNode } from 'react'
import { useSharedValue, type SharedValue } from '../../lib/browser/shared-value.ts'
import { SelectionBar } from './selection-bar.tsx'

export interface Bulk<Row> {
  nameOf: (row: Row) => string
  /** Every row unless given. */
  canSelect?: (row: Row) => boolean
  /** What can be done to the selected rows. What it shows by `show` stays when the rows go from the list. */
  renderBar: (
    rows: Row[],
    show: (dialog: ReactNode) => void,
    /** Given: not these rows alone, but all that the search and the filters find. */
    all: AllFound | undefined,
  ) => ReactNode
  /** What is done can be done to all that match too. */
  canTakeAll?: true
}

/** All rows of a list, on every page. */
export interface AllFound {
  search: string
  /** How many there were when they were selected. */
  total: number
}

export interface PickedBarProps<Row> {
  rows: Row[]
  picked: SharedValue<ReadonlySet<number | string>>
  bulk: Bulk<Row>
  bulkDialog: SharedValue<ReactNode>
  /** What was looked for when all that match were selected. */
  allOf: SharedValue<string | undefined>
  /** What is looked for now. */
  matching: string
  all: AllFound
}

/** What can be done to the selected rows. */
export function PickedBar<Row extends { id: number }>(props: PickedBarProps<Row>) {
  const { rows, picked, bulk, bulkDialog, allOf, matching, all } = props
  const ids = useSharedValue(picked)
  const takenAllOf = useSharedValue(allOf)
  // Only what is in sight counts: the bar acts on nothing that another page or filter hides.
  const shown = rows.filter((row) => bulk.canSelect?.(row) !== false)
  const selected = shown.filter(({ id }) => ids.has(id))
  if (selected.length === 0) return null
  const isPage = selected.length === shown.length
  // Another search, or a row that was left out, ends it.
  const isAll = isPage && takenAllOf === matching
  return (
    <SelectionBar
      selected={selected.length}
      shown={shown.length}
      onAll={() => picked.set(new Set(shown.map(idOf)))}
      onClear={() => {
        picked.set(new Set())
        allOf.set(undefined)
      }}
      total={bulk.canTakeAll && isPage && all.total > shown.length ? all.total : undefined}
      isAll={isAll}
      onTotal={() => allOf.set(matching)}
    >
      {bulk.renderBar(selected, bulkDialog.set, isAll ? all : undefined)}
    </SelectionBar>
  )
}

const idOf = ({ id }: { id: number }) => id
