import type { RunKind, RunState, RunSummary } from '@gatehouse/contract'
import { CallError } from '../../lib/calls/call-error.ts'
import { call } from '../../lib/calls/call.ts'
import { callStream } from '../../lib/calls/call-bodies.ts'
import { followEvents, pause } from '../../lib/calls/follow-events.ts'
import { readRun } from './read-run.ts'

/** Between two looks for a run that has not begun yet. */
const lookMs = 1000

interface Following {
  id: number
  signal: AbortSignal
  /** Receives the run as it is now: at once, and after every change. */
  onRun: (run: RunSummary) => void
  /** Fetches the state, where events do not arrive. */
  poll: (signal: AbortSignal) => Promise<RunState>
}

/** Follows a run to its end, step by step. Resolves then, or once the signal is aborted. */
export function followRun({ id, signal, onRun, poll }: Following): Promise<void> {
  return followEvents({
    signal,
    open: (until) =>
      callStream('GET /api/runs/:id/events', {
        params: { id },
        signal: until,
        headers: { Accept: 'text/event-stream' },
      }),
    read: ({ event, data }) => (event === 'run' ? readRun(JSON.parse(data)) : undefined),
    onState: onRun,
    isOver: ({ state }) => state !== 'running',
    poll: async (until) => (await poll(until)) !== 'running',
  })
}

/** The user's run with this Idempotency-Key; undefined until it has begun. */
export async function findRun(
  kind: RunKind,
  key: string,
  signal?: AbortSignal,
): Promise<RunSummary | undefined> {
  try {
    const query = { params: { key }, query: { kind }, signal }
    return (await call('GET /api/runs/by-key/:key', query)).run
  } catch (error) {
    if (error instanceof CallError && error.status === 404) return undefined
    throw error
  }
}

/** Looks for a run that is expected to begin, at most `tries` times. */
export async function awaitRun(
  kind: RunKind,
  key: string,
  signal: AbortSignal,
  tries = Number.POSITIVE_INFINITY,
): Promise<RunSummary | undefined> {
  for (let done = 0; done < tries && !signal.aborted; done++) {
    const run = await findRun(kind, key, signal).catch(() => undefined)
    if (run) return run
    await pause(done === 0 ? lookMs / 4 : lookMs, signal)
  }
  return undefined
}
