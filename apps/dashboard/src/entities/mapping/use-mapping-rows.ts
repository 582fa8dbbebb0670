import { pathOfValue, type MappingRow } from '@gatehouse/contract/mapping'
import {
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
} from 'react'
import { notifyInfo } from '../../lib/page/notify.tsx'
import type { JsonPath } from '../../ui/json/json-path-at.ts'
import { maxRows, moveRows, newRow, rowForValue, rowsByName, type FormRow } from './mapping-form.ts'
import { useRowHistory, type ChangeRows } from './use-row-history.ts'
import { useRowSelection, type SelectHow } from './use-row-selection.ts'

/** A part of a row that can have the focus. */
type RowPart = keyof MappingRow | 'handle' | 'remove'

export const fieldId = (rowId: string, part: RowPart) => `${rowId}-${part}`

/**
 * What can be done to the mapping rows. Each change can be taken back, moves the focus to where the work goes on,
 * and says so to those who cannot see it.
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
  const { aim, goTo } = useAim(editorId)
  const { change, undo, redo } = useRowHistory(rows, changeRows)
  const { selected, select, clear } = useRowSelection(rows)

  function insert(at: number, row: FormRow, part: RowPart, words: string) {
    if (rows.length >= maxRows) return notifyInfo(`A mapping has at most ${maxRows} rows.`)
    setIsJsonShown(false)
    change((rows) => rows.toSpliced(at, 0, row))
    goTo(row.id, part)
    return setSaid(`Row ${at + 1} added${words}.`)
  }
  function append(added: FormRow[]) {
    change((rows) => [...rows, ...added].slice(0, maxRows))
    setSaid(added.length === 1 ? '1 row added.' : `${added.length} rows added.`)
  }

  function handleChange(id: string, changed: Partial<FormRow>) {
    const field = `${id} ${Object.keys(changed).join()}`
    change((rows) => rows.map((row) => (row.id === id ? { ...row, ...changed } : row)), field)
  }
  function handleRemove(ids: ReadonlySet<string>) {
    const first = rows.findIndex(({ id }) => ids.has(id))
    const left = rows.filter(({ id }) => !ids.has(id))
    change(() => left)
    setSaid(ids.size === 1 ? `Row ${first + 1} removed.` : `${ids.size} rows removed.`)
    const next = left[first] ?? left[first - 1]
    goTo(next?.id, 'remove')
  }
  function handleMove(id: string, place: number) {
    // The focus stays in the row that moves, on the part that it was in.
    const part = document.activeElement?.id.replace(`${id}-`, '') ?? ''
    change((rows) => moveRows(rows, selected.has(id) ? selected : new Set([id]), id, place))
    setSaid(`Row moved to place ${place + 1}.`)
    if (isPart(part)) goTo(id, part)
  }

  const placeOf = (id: string) => rows.findIndex((row) => row.id === id)
  const actions = useStableActions({
    change: handleChange,
    remove: (id) => handleRemove(new Set([id])),
    move: handleMove,
    select,
    insertBelow: (id) => insert(placeOf(id) + 1, newRow(blank), 'from', ''),
    duplicate(id) {
      const { id: _, ...fields } = rows[placeOf(id)] ?? newRow()
      insert(placeOf(id) + 1, newRow(fields), 'to', '')
    },
  })

  return {
    editorId,
    said,
    isJsonShown,
    aim,
    /** Shows a field of a row, and gives it the focus. */
    goTo(row: string, part: RowPart) {
      setIsJsonShown(false)
      goTo(row, part)
    },
    undo,
    redo,
    selected,
    actions,
    blank,
    handleClearSelection: clear,
    handleRemoveSelected: () => handleRemove(selected),
    /** By one place, all that are selected. */
    handleMoveSelected: (by: 1 | -1) => {
      const ofThem = rows.filter(({ id }) => selected.has(id))
      const leading = by < 0 ? ofThem[0] : ofThem.at(-1)
      if (leading) handleMove(leading.id, placeOf(leading.id) + by)
    },
    handleToggleJson: () => setIsJsonShown((isShown) => !isShown),
    handleAdd: () => insert(rows.length, newRow(blank), 'from', ''),
    handlePick: (path: JsonPath) =>
      insert(rows.length, rowForValue(path, rows), 'to', ` for ${pathOfValue(path)}`),
    /** A row for each place, under its own path. */
    handleUnread: (paths: readonly string[]) => append(rowsByName(paths, rows)),
    handleAppend: append,
    handleRows: (next: FormRow[]) => change(() => next, 'rows'),
    handleUndoKeys: undoKeys(undo, redo),
  }
}

/** What a row can ask for. The functions stay the same, so that a row is drawn again only when it changes. */
export interface RowActions {
  change: (id: string, changed: Partial<FormRow>) => void
  remove: (id: string) => void
  move: (id: string, place: number) => void
  select: (id: string, how: SelectHow) => void
  insertBelow: (id: string) => void
  duplicate: (id: string) => void
}

function useStableActions(actions: RowActions): RowActions {
  const latest = useRef(actions)
  useLayoutEffect(() => {
    latest.current = actions
  })
  const [stable] = useState<RowActions>(() => ({
    change: (...input) => latest.current.change(...input),
    remove: (...input) => latest.current.remove(...input),
    move: (...input) => latest.current.move(...input),
    select: (...input) => latest.current.select(...input),
    insertBelow: (...input) => latest.current.insertBelow(...input),
    duplicate: (...input) => latest.current.duplicate(...input),
  }))
  return stable
}

export type MappingRows = ReturnType<typeof useMappingRows>

const parts = new Set<string>(['from', 'to', 'custom_input', 'type', 'handle', 'remove'])
const isPart = (text: string): text is RowPart => parts.has(text)

/** Ctrl+Z, and what does it again; an editor of JSON has its own. */
export const undoKeys =
  (undo: (() => void) | undefined, redo: (() => void) | undefined) =>
  (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return
    if (event.target instanceof Element && event.target.closest('.cm-editor')) return
    const key = event.key.toLowerCase()
    const isRedo = key === 'y' || (key === 'z' && event.shiftKey)
    if (key !== 'z' && !isRedo) return
    event.preventDefault()
    if (isRedo) redo?.()
    else undo?.()
  }

/** What is to have the focus once it is drawn; the table draws the row for it. Without a row: Add Mapping. */
function useAim(editorId: string) {
  const [aim, setAim] = useState<{ row: string | undefined; part: RowPart }>()
  useEffect(() => {
    if (!aim) return
    const target =
      aim.row === undefined
        ? document.getElementById(editorId)?.querySelector<HTMLElement>('[data-add-row]')
        : document.getElementById(fieldId(aim.row, aim.part))
    target?.focus()
  }, [aim, editorId])
  const goTo = useCallback((row: string | undefined, part: RowPart) => setAim({ row, part }), [])
  return { aim: aim?.row, goTo }
}
