import { nodeState, type NodeState } from '@gatehouse/contract'
import { z } from 'zod'
import type { Row } from '../../db/tables.ts'

/** A server that has given a sign of life lately, with what it said of itself. */
interface HeardNode {
  id: string
  name: string
  state: NodeState
  /** When it was started, the last time last; 20 at most. */
  starts: readonly string[]
}

/** Servers that gave a sign of life within this time and have not stopped. */
export function nodesHeard(rows: readonly Row<'node'>[], now: Date, withinMs: number): HeardNode[] {
  const from = now.getTime() - withinMs
  return rows.flatMap(({ instance_id: id, name, seen_at, stopped_at, state: text, starts }) => {
    if (stopped_at !== null || Date.parse(seen_at) <= from) return []
    const state = readState(text)
    return state === null ? [] : [{ id, name, state, starts: readStarts(starts) }]
  })
}

/** Null where another version says what this one can't read. */
export function readState(text: string | null): NodeState | null {
  try {
    return nodeState.parse(JSON.parse(text ?? 'null'))
  } catch {
    return null
  }
}

const startList = z.array(z.string())

/** Empty where an earlier version has stored none. */
export const readStarts = (text: string | null): string[] =>
  text === null ? [] : startList.parse(JSON.parse(text))
