import { useHotkeys } from '@mantine/hooks'
import type { RefObject } from 'react'

/**
 * `j` and `k` move from line to line, and so do the arrows once a line has the focus. Enter opens a line:
 * it is a button. No key counts in a field, or while a dialog is open.
 */
export function useLineKeys(table: RefObject<HTMLTableElement | null>): void {
  const move = (by: 1 | -1) => focusLine(table.current, by, false)
  const moveOn = (by: 1 | -1) => focusLine(table.current, by, true)
  useHotkeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
  ])
  useHotkeys([
    ['ArrowDown', (event) => moveOn(1) && event.preventDefault(), { preventDefault: false }],
    ['ArrowUp', (event) => moveOn(-1) && event.preventDefault(), { preventDefault: false }],
  ])
}

/** False where there is no line to move to, or none to move from. */
function focusLine(table: HTMLElement | null, by: 1 | -1, mustHaveFocus: boolean): boolean {
  if (!table || document.querySelector('[aria-modal="true"]')) return false
  const lines = [...table.querySelectorAll<HTMLElement>('[data-log-line]')]
  const row = document.activeElement?.closest('tr')
  const at = lines.findIndex((line) => line.closest('tr') === row)
  if (at < 0 && mustHaveFocus) return false
  const next = at < 0 ? lines[0] : lines[at + by]
  next?.focus()
  return next !== undefined
}
