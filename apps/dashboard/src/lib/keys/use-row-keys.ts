import { useHotkeys, type HotkeyItem } from '@mantine/hooks'
import type { RefObject } from 'react'

/**
 * Keys of a list. None counts in a field that is typed into, or while a dialog is open; a box that selects a
 * row is no such field.
 */
export function useListKeys(items: readonly (readonly [key: string, act: () => void])[]): void {
  const guarded = ([key, act]: (typeof items)[number]): HotkeyItem => [
    key,
    (event) => {
      if (isTypedInto(event.target) || isDialogOpen()) return
      event.preventDefault()
      act()
    },
    { preventDefault: false },
  ]
  useHotkeys(items.map(guarded), [])
}

/**
 * `j` and `k` move from row to row, and so do the arrows once a row has the focus. The first that `selector`
 * finds in a row gets the focus.
 */
export function useRowKeys(table: RefObject<HTMLElement | null>, selector: string): void {
  const move = (by: 1 | -1) => void focusRow(table.current, selector, by, false)
  const moveOn = (by: 1 | -1) => focusRow(table.current, selector, by, true)
  useListKeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
  ])
  useHotkeys(
    [
      ['ArrowDown', (event) => moveOn(1) && event.preventDefault(), { preventDefault: false }],
      ['ArrowUp', (event) => moveOn(-1) && event.preventDefault(), { preventDefault: false }],
    ],
    ['TEXTAREA', 'SELECT'],
  )
}

/** False where there is no row to move to, or none to move from. */
function focusRow(
  table: HTMLElement | null,
  selector: string,
  by: 1 | -1,
  mustHaveFocus: boolean,
): boolean {
  if (!table || isDialogOpen()) return false
  const targets = [...table.querySelectorAll('tbody tr')].flatMap(
    (each) => each.querySelector<HTMLElement>(selector) ?? [],
  )
  const row = document.activeElement?.closest('tbody tr')
  // The keys are those of the list that has the focus.
  if (row && !table.contains(row)) return false
  const at = targets.findIndex((target) => target.closest('tr') === row)
  if (at < 0 && mustHaveFocus) return false
  const next = at < 0 ? targets[0] : targets[at + by]
  next?.focus()
  return next !== undefined
}

const isTypedInto = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.matches('input:not([type=checkbox]),textarea,select,[contenteditable=true]')

const isDialogOpen = () => document.querySelector('[aria-modal="true"]') !== null
