/** The windows in which calls are counted, and how fine the ends of calls are noted in each. */
const windows = {
  second: { lengthMs: 1_000, bucketMs: 5 },
  minute: { lengthMs: 60_000, bucketMs: 300 },
  hour: { lengthMs: 3_600_000, bucketMs: 18_000 },
} as const
type Window = keyof typeof windows
const windowNames = Object.keys(windows) as Window[]

/** The most calls in any window; absent: no limit. */
export type RateLimits = Partial<Record<Window, number>>

/** Calls that have ended: the end of a bucket, and how many. */
type Bucket = [atMs: number, calls: number]

/**
 * The calls of a lane that count. A call counts from before it is made until a window after it was answered:
 * whenever between the two it reached the authority, no window there holds more than the limit. Times are
 * those of one clock for all servers, in milliseconds.
 */
export interface RateState {
  /** Calls under way by server, and until when they count as such without a renewal. */
  open: Record<string, { calls: number; untilMs: number }>
  ended: Record<Window, Bucket[]>
}

export const emptyRate = (): RateState => ({
  open: {},
  ended: { second: [], minute: [], hour: [] },
})

export const readRate = (text: string | null): RateState =>
  text === null ? emptyRate() : (JSON.parse(text) as RateState)

const sumOf = (buckets: readonly Bucket[]) => buckets.reduce((sum, [, calls]) => sum + calls, 0)

const openCalls = ({ open }: RateState) =>
  Object.values(open).reduce((sum, { calls }) => sum + calls, 0)

const living = (state: RateState, name: Window, nowMs: number) =>
  state.ended[name].filter(([atMs]) => atMs + windows[name].lengthMs > nowMs)

/** How many calls may begin now. */
export function freeCalls(state: RateState, limits: RateLimits, nowMs: number): number {
  const open = openCalls(state)
  const free = windowNames.flatMap((name) => {
    const limit = limits[name]
    return limit === undefined ? [] : [limit - open - sumOf(living(state, name, nowMs))]
  })
  return Math.max(0, Math.min(...free))
}

/** Where no call may begin now, the first moment at which one may unless others end before. */
export function nextFreeMs(
  state: RateState,
  limits: RateLimits,
  nowMs: number,
): number | undefined {
  const open = openCalls(state)
  let nextMs = nowMs
  for (const name of windowNames) {
    const limit = limits[name]
    if (limit === undefined) continue
    const buckets = living(state, name, nowMs)
    let over = open + sumOf(buckets) - limit + 1
    for (const [atMs, calls] of buckets) {
      if (over <= 0) break
      over -= calls
      nextMs = Math.max(nextMs, atMs + windows[name].lengthMs)
    }
    // Calls under way have to end first.
    if (over > 0) return undefined
  }
  return nextMs
}

/** The limit that keeps a call from beginning now, in words. */
export function findLimit(state: RateState, limits: RateLimits, nowMs: number): string | undefined {
  const full = windowNames.find(
    (name) => limits[name] !== undefined && freeCalls(state, { [name]: limits[name] }, nowMs) === 0,
  )
  return (
    full && `The limit of ${limits[full]} ${limits[full] === 1 ? 'call' : 'calls'} per ${full}.`
  )
}

interface Change {
  /** This process, and the server that it is a process of. */
  owner: string
  server: string
  /** The calls of this process that are under way, or may begin now. */
  open: number
  /** When calls of this process ended. */
  ended: readonly number[]
  nowMs: number
  /** Its calls count as under way until then, unless it says so again. */
  untilMs: number
}

/** The state after calls of a process have begun and ended. What has left every window is forgotten. */
export function changeRate(before: RateState, change: Change): RateState {
  const { owner, server, nowMs, untilMs } = change
  const open: RateState['open'] = {}
  const ended = [...change.ended]
  for (const [name, held] of Object.entries(before.open)) {
    if (name === owner) continue
    // A process that is gone: its calls ended now at the latest.
    if (name.startsWith(`${server}/`) || held.untilMs <= nowMs)
      ended.push(...Array.from({ length: held.calls }, () => nowMs))
    else open[name] = held
  }
  if (change.open > 0) open[owner] = { calls: change.open, untilMs }
  const noted = (name: Window): Bucket[] => {
    const buckets = new Map(living(before, name, nowMs))
    const { bucketMs } = windows[name]
    for (const atMs of ended) {
      // Never earlier than it was.
      const bucket = Math.ceil(atMs / bucketMs) * bucketMs
      buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1)
    }
    return [...buckets].toSorted(([a], [b]) => a - b)
  }
  return { open, ended: { second: noted('second'), minute: noted('minute'), hour: noted('hour') } }
}
