import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { FormRow } from './mapping-form.ts'

export type ChangeRows = (change: (rows: FormRow[]) => FormRow[]) => void

/** Changes of the same field within this time are one step. */
const oneStepMs = 1500
const mostSteps = 100

interface Steps {
  past: FormRow[][]
  future: FormRow[][]
}

/** Every change to the rows can be taken back, and done again. Fast typing in one field is one step. */
export function useRowHistory(rows: FormRow[], changeRows: ChangeRows) {
  const [steps, setSteps] = useState<Steps>(noSteps)
  const latest = useRef(rows)
  const last = useRef<{ field: string; at: number }>(undefined)
  useLayoutEffect(() => {
    latest.current = rows
  }, [rows])

  const put = useCallback(
    (next: FormRow[]) => {
      latest.current = next
      changeRows(() => next)
    },
    [changeRows],
  )
  /** `field` names what is typed in, where it is typing. */
  const change = useCallback(
    (make: (rows: FormRow[]) => FormRow[], field = '') => {
      const before = latest.current
      const next = make(before)
      if (next === before) return
      const now = Date.now()
      const isSameStep =
        field !== '' && last.current?.field === field && now - last.current.at < oneStepMs
      last.current = { field, at: now }
      if (!isSameStep)
        setSteps(({ past }) => ({ past: [...past.slice(1 - mostSteps), before], future: [] }))
      put(next)
    },
    [put],
  )
  const undo = useCallback(() => {
    const to = steps.past.at(-1)
    if (!to) return
    last.current = undefined
    setSteps({ past: steps.past.slice(0, -1), future: [latest.current, ...steps.future] })
    put(to)
  }, [steps, put])
  const redo = useCallback(() => {
    const [to, ...future] = steps.future
    if (!to) return
    last.current = undefined
    setSteps({ past: [...steps.past, latest.current], future })
    put(to)
  }, [steps, put])
  return {
    change,
    undo: steps.past.length > 0 ? undo : undefined,
    redo: steps.future.length > 0 ? redo : undefined,
  }
}

const noSteps: Steps = { past: [], future: [] }
