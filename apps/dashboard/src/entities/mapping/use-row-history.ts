import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { FormRow } from './mapping-form.ts'

type Change<Row> = (change: (rows: Row[]) => Row[]) => void
export type ChangeRows = Change<FormRow>

/** Changes of the same field within this time are one step. */
const oneStepMs = 1500
const mostSteps = 100

interface Steps<Row> {
  past: Row[][]
  future: Row[][]
}

/** Every change to the rows can be taken back, and done again. Fast typing in one field is one step. */
export function useRowHistory<Row = FormRow>(rows: Row[], changeRows: Change<Row>) {
  const [steps, setSteps] = useState<Steps<Row>>(noSteps)
  const latest = useRef(rows)
  const last = useRef<{ field: string; at: number }>(undefined)
  useLayoutEffect(() => {
    latest.current = rows
  }, [rows])

  const put = useCallback(
    (next: Row[]) => {
      latest.current = next
      changeRows(() => next)
    },
    [changeRows],
  )
  /** Before a change that is made elsewhere. `field` names what is typed in, where it is typing. */
  const mark = useCallback((field = '') => {
    const before = latest.current
    const now = Date.now()
    const isSameStep =
      field !== '' && last.current?.field === field && now - last.current.at < oneStepMs
    last.current = { field, at: now }
    if (!isSameStep)
      setSteps(({ past }) => ({ past: [...past.slice(1 - mostSteps), before], future: [] }))
  }, [])
  const change = useCallback(
    (make: (rows: Row[]) => Row[], field = '') => {
      const next = make(latest.current)
      if (next === latest.current) return
      mark(field)
      put(next)
    },
    [mark, put],
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
    mark,
    change,
    undo: steps.past.length > 0 ? undo : undefined,
    redo: steps.future.length > 0 ? redo : undefined,
  }
}

const noSteps: Steps<never> = { past: [], future: [] }
