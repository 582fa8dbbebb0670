import { pathOfValue, type MappingRow } from '@gatehouse/contract/mapping'
import { useCallback, useEffect, useId, useState } from 'react'
import { notifyInfo } from '../../lib/notify.tsx'
import type { JsonPath } from '../../ui/json-path-at.ts'
import { maxRows, moveRow, newRow, rowForValue, rowsByName, type FormRow } from './mapping-form.ts'

type ChangeRows = (change: (rows: FormRow[]) => FormRow[]) => void

export const fieldId = (rowId: string, field: keyof MappingRow) => `${rowId}-${field}`

/**
 * What can be done to the mapping rows. Each change moves the focus to where the work goes on, and
 * says so to those who cannot see it.
 */
export function useMappingRows(
  rows: FormRow[],
  changeRows: ChangeRows,
  /** What a new row holds. */
  blank: Partial<Omit<FormRow, 'id'>> = {},
) {
  const editorId = useId()
  const [isJsonShown, setIsJsonShown] = useState(false)
  const [said, setSaid] = useState('')
  const focusLater = useFocusLater()

  function append(row: FormRow, field: keyof MappingRow, words: string) {
    if (rows.length >= maxRows) return notifyInfo(`A mapping has at most ${maxRows} rows.`)
    setIsJsonShown(false)
    changeRows((rows) => [...rows, row])
    focusLater(() => document.getElementById(fieldId(row.id, field)))
    return setSaid(`Row ${rows.length + 1} added${words}.`)
  }

  const handleChange = useCallback(
    (id: string, changed: Partial<FormRow>) =>
      changeRows((rows) => rows.map((row) => (row.id === id ? { ...row, ...changed } : row))),
    [changeRows],
  )
  const handleRemove = useCallback(
    (id: string, number: number) => {
      changeRows((rows) => rows.filter((row) => row.id !== id))
      setSaid(`Row ${number} removed.`)
      focusLater(() => {
        const editor = document.getElementById(editorId)
        const buttons = [...(editor?.querySelectorAll<HTMLElement>('[data-remove-row]') ?? [])]
        const add = editor?.querySelector<HTMLElement>('[data-add-row]')
        return buttons[number - 1] ?? buttons[number - 2] ?? add ?? null
      })
    },
    [changeRows, focusLater, editorId],
  )

  const handleMove = useCallback(
    (id: string, place: number) => {
      // The focus stays in the row that moves, on the field that it was in.
      const focused = document.activeElement?.id ?? ''
      changeRows((rows) => moveRow(rows, id, place))
      setSaid(`Row moved to place ${place + 1}.`)
      focusLater(() => (focused === '' ? null : document.getElementById(focused)))
    },
    [changeRows, focusLater],
  )

  return {
    editorId,
    said,
    isJsonShown,
    handleToggleJson: () => setIsJsonShown((isShown) => !isShown),
    handleAdd: () => append(newRow(blank), 'from', ''),
    handlePick: (path: JsonPath) =>
      append(rowForValue(path, rows), 'to', ` for ${pathOfValue(path)}`),
    handleUnread: (paths: readonly string[]) => {
      const added = rowsByName(paths, rows)
      changeRows((rows) => [...rows, ...added])
      setSaid(added.length === 1 ? '1 row added.' : `${added.length} rows added.`)
    },
    handleChange,
    handleRemove,
    handleMove,
    handleRows: (next: FormRow[]) => changeRows(() => next),
  }
}

export type MappingRows = ReturnType<typeof useMappingRows>

/** Focuses an element that the render to come may first have to make. */
function useFocusLater() {
  const [find, setFind] = useState<() => HTMLElement | null>()
  useEffect(() => find?.()?.focus(), [find])
  return useCallback((next: () => HTMLElement | null) => setFind(() => next), [])
}
