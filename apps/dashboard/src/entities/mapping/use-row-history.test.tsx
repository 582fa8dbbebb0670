import { act, renderHook } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { newRow, type FormRow } from './mapping-form.ts'
import { useRowHistory } from './use-row-history.ts'

function renderHistory() {
  const { result } = renderHook(() => {
    const [rows, setRows] = useState<FormRow[]>([])
    return { rows, history: useRowHistory(rows, setRows) }
  })
  const shown = () => result.current.rows.map(({ to }) => to).join()
  return {
    shown,
    change: (...input: Parameters<typeof result.current.history.change>) =>
      act(() => result.current.history.change(...input)),
    undo: () => act(() => result.current.history.undo?.()),
    redo: () => act(() => result.current.history.redo?.()),
    can: () => [
      result.current.history.undo !== undefined,
      result.current.history.redo !== undefined,
    ],
  }
}

const add = (to: string) => (rows: FormRow[]) => [...rows, newRow({ to })]
const type = (to: string) => (rows: FormRow[]) => rows.map((row) => ({ ...row, to }))

test('changes are taken back one by one, and done again', () => {
  const { shown, change, undo, redo, can } = renderHistory()
  expect(can()).toEqual([false, false])
  change(add('a'))
  change(add('b'))
  undo()
  expect([shown(), can()]).toEqual(['a', [true, true]])
  undo()
  expect(shown()).toBe('')
  redo()
  redo()
  expect([shown(), can()]).toEqual(['a,b', [true, false]])
})

test('fast typing in one field is one step, and another field another', () => {
  const { shown, change, undo } = renderHistory()
  change(add(''))
  change(type('x'), 'to')
  change(type('xy'), 'to')
  change(type('z'), 'from')
  undo()
  expect(shown()).toBe('xy')
  undo()
  expect(shown()).toBe('')
})

test('after a change nothing is left to do again, and what changes nothing is no step', () => {
  const { shown, change, undo, can } = renderHistory()
  change(add('a'))
  undo()
  change((rows) => rows)
  expect(can()).toEqual([false, true])
  change(add('b'))
  expect([shown(), can()]).toEqual(['b', [true, false]])
})
