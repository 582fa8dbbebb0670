import { useState, type ChangeEvent } from 'react'
import { SharedValue, usePartOf } from '../../lib/browser/shared-value.ts'
import classes from './row-box.module.css'

type Key = number | string

export interface Selection<Row> {
  /** Of the rows that are selected. */
  keys: SharedValue<ReadonlySet<Key>>
  /** Names the row for screen readers. */
  nameOf: (row: Row) => string
  /** Rows without a box are not selected; every row has one unless given. */
  canSelect?: ((row: Row) => boolean) | undefined
}

interface RowBoxProps {
  rowKey: Key
  name: string
  keys: Selection<never>['keys']
  /** Of the rows that have a box, in their order. */
  order: readonly Key[]
  /** The row whose box was pressed last. */
  last: SharedValue<Key | undefined>
}

/** Selects a row, and with Shift all from the row that was pressed last. The browser's own: a page has a hundred. */
export function RowBox({ rowKey, name, keys, order, last }: RowBoxProps) {
  const isSelected = usePartOf(keys, (selected) => selected.has(rowKey))
  function toggle({ nativeEvent }: ChangeEvent<HTMLInputElement>) {
    const isRange = 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true
    const range = isRange ? between(order, last.get(), rowKey) : [rowKey]
    last.set(rowKey)
    const selected = new Set(keys.get())
    for (const key of range)
      if (isSelected) selected.delete(key)
      else selected.add(key)
    keys.set(selected)
  }
  return (
    <label className={classes['area']}>
      <input
        type="checkbox"
        className={classes['box']}
        aria-label={`Select ${name}`}
        checked={isSelected}
        onChange={toggle}
      />
    </label>
  )
}

/** Both ends too; the second alone where the first is not there any more. */
function between(order: readonly Key[], first: Key | undefined, second: Key): readonly Key[] {
  const [a, b] = [first === undefined ? -1 : order.indexOf(first), order.indexOf(second)]
  return a < 0 ? [second] : order.slice(Math.min(a, b), Math.max(a, b) + 1)
}

interface PageBoxProps {
  keys: Selection<never>['keys']
  order: readonly Key[]
}

/** In the head of the table: selects the rows of the page, or none of them. */
export function PageBox({ keys, order }: PageBoxProps) {
  const state = usePartOf(keys, (selected) => {
    const count = order.filter((key) => selected.has(key)).length
    if (count === 0) return 'none'
    return count === order.length ? 'all' : 'some'
  })
  const isAll = state === 'all'
  return (
    <label className={classes['area']}>
      <input
        type="checkbox"
        className={classes['box']}
        aria-label="All rows of this page"
        ref={(box) => {
          if (box) box.indeterminate = state === 'some'
        }}
        checked={isAll}
        onChange={() => keys.set(new Set(isAll ? [] : order))}
      />
    </label>
  )
}

/** The row whose box was pressed last: a press with Shift goes from there. */
export const useLastPressed = () => useState(() => new SharedValue<Key | undefined>(undefined))[0]
