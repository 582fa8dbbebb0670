import { readEvents, type ServerEvent } from './event-stream.ts'

/** Between two polls of what cannot be followed by events. */
const pollMs = 1000
/** A proxy may hold events back: without a first one by then, polling begins. */
const firstEventMs = 5000

interface Following<State> {
  signal: AbortSignal
  open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>
  /** The state that an event carries; undefined for others. */
  read: (event: ServerEvent) => State | undefined
  /** Receives the state as it is now: at once, and after every change. */
  onState: (state: State) => void
  isOver: (state: State) => boolean
  /** Fetches the state, where events do not arrive; true once it is over. */
  poll: (signal: AbortSignal) => Promise<boolean>
}

/** Follows something that changes until it is over. Resolves then, or once the signal is aborted. */
export async function followEvents<State>(following: Following<State>): Promise<void> {
  const { signal, poll } = following
  while (!signal.aborted) {
    if ((await readToEnd(following).catch(() => undefined)) === 'over') return
    if (signal.aborted) return
    if (await poll(signal).catch(() => false)) return
    await pause(pollMs, signal)
  }
}

async function readToEnd<State>({ signal, open, read, onState, isOver }: Following<State>) {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), firstEventMs)
  try {
    const stream = await open(AbortSignal.any([signal, silence.signal]))
    for await (const event of readEvents(stream)) {
      clearTimeout(timer)
      const state = read(event)
      if (state !== undefined && !signal.aborted) onState(state)
      if (state !== undefined && isOver(state)) return 'over'
    }
    return 'cut'
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves after a time, or once the signal is aborted. */
export function pause(durationMs: number, signal: AbortSignal): Promise<void> {
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
