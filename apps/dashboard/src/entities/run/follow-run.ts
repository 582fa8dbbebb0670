import type { RunKind, RunState, RunSummary } from '@gatehouse/contract'
import { CallError } from '../../lib/call-error.ts'
import { call, callStream } from '../../lib/call.ts'
import { readEvents } from '../../lib/event-stream.ts'
import { readRun } from './read-run.ts'

/** Between two polls of a run that cannot be followed by events. */
const pollMs = 1000
/** A proxy may hold events back: without a first one by then, polling begins. */
const firstEventMs = 5000

interface Following {
  id: number
  signal: AbortSignal
  /** Receives the run as it is now: at once, and after every change. */
  onRun: (run: RunSummary) => void
  /** Fetches the state, where events do not arrive. */
  poll: (signal: AbortSignal) => Promise<RunState>
}

/** Follows a run to its end, step by step. Resolves then, or once the signal is aborted. */
export async function followRun({ id, signal, onRun, poll }: Following): Promise<void> {
  while (!signal.aborted) {
    if ((await followByEvents(id, signal, onRun).catch(() => undefined)) === 'ended') return
    if (signal.aborted) return
    const state = await poll(signal).catch(() => undefined)
    if (state !== undefined && state !== 'running') return
    await pause(pollMs, signal)
  }
}

async function followByEvents(id: number, signal: AbortSignal, onRun: (run: RunSummary) => void) {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), firstEventMs)
  try {
    const stream = await callStream('GET /api/runs/:id/events', {
      params: { id },
      signal: AbortSignal.any([signal, silence.signal]),
      headers: { Accept: 'text/event-stream' },
    })
    for await (const { event, data } of readEvents(stream)) {
      clearTimeout(timer)
      const run = event === 'run' ? readRun(JSON.parse(data)) : undefined
      if (run && !signal.aborted) onRun(run)
      if (run && run.state !== 'running') return 'ended'
    }
    return 'cut'
  } finally {
    clearTimeout(timer)
  }
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
    await pause(done === 0 ? pollMs / 4 : pollMs, signal)
  }
  return undefined
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, durationMs)
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
}
