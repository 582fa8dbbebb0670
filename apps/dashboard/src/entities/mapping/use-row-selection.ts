import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { FormRow } from './mapping-form.ts'

/** How a row is chosen: alone beside those that are, or with all between it and the one before. */
export type SelectHow = 'toggle' | 'range'

interface Selection {
  ids: ReadonlySet<string>
  /** Where a range begins. */
  anchor: string | undefined
}

const nothing: Selection = { ids: new Set(), anchor: undefined }

/** The rows that are done something to together. Those that are gone are not selected. */
export function useRowSelection(rows: readonly FormRow[]) {
  const [{ ids }, setSelection] = useState(nothing)
  const latest = useRef(rows)
  useLayoutEffect(() => {
    latest.current = rows
  }, [rows])
  const selected = useMemo(
    () => new Set(rows.filter(({ id }) => ids.has(id)).map(({ id }) => id)),
    [rows, ids],
  )
  const select = useCallback(
    (id: string, how: SelectHow) =>
      setSelection((was) => {
        const ids = new Set(was.ids)
        if (how === 'range' && was.anchor !== undefined) {
          for (const each of between(latest.current, was.anchor, id)) ids.add(each)
          return { ids, anchor: was.anchor }
        }
        if (!ids.delete(id)) ids.add(id)
        return { ids, anchor: id }
      }),
    [],
  )
  const clear = useCallback(() => setSelection(nothing), [])
  return { selected, select, clear }
}

function between(rows: readonly FormRow[], one: string, other: string): string[] {
  const places = [one, other].map((id) => rows.findIndex((row) => row.id === id))
  const [first = -1, last = -1] = places.toSorted((a, b) => a - b)
  return first < 0 ? [other] : rows.slice(first, last + 1).map(({ id }) => id)
}
