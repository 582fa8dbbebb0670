import type { TrafficPolicy } from '@gatehouse/contract/gateway'

type Settings = NonNullable<TrafficPolicy['retries']>

const maxBackoffMs = 30_000

/** What became of a try, as far as a repetition depends on it. */
export interface TryOutcome {
  method: string
  /** False where the endpoint is declared to be a submit. */
  isRepeatable: boolean
  /** Retries made so far. */
  retries: number
  /** False where nothing of the request has left: no connection was made. */
  isSent: boolean
  /** Absent where no answer came. */
  status?: number | undefined
  /** Of the answer. */
  retryAfter?: string | undefined
  /** What is left of the answer time-out. */
  leftMs: number
}

/**
 * How long to wait before the request is sent again, in ms; undefined where it is not repeated. Only
 * GET and HEAD are, unless the endpoint is declared to be a submit: if nothing was sent, or if the
 * answer was 502, 503 or 504, and only where the pause ends within the time that is left. The pause doubles each time and is drawn at random
 * from its whole length ("full jitter"), so that clients do not come back together. `Retry-After`
 * lengthens it.
 */
export function retryDelayMs(
  settings: Settings,
  outcome: TryOutcome,
  random: () => number,
  nowMs: number,
): number | undefined {
  const { method, isRepeatable, retries, isSent, status, leftMs } = outcome
  if (!isRepeatable) return undefined
  if (method !== 'GET' && method !== 'HEAD') return undefined
  if (retries >= settings.attempts) return undefined
  if (isSent && status !== 502 && status !== 503 && status !== 504) return undefined
  const longest = Math.min(maxBackoffMs, settings.backoff_ms * 2 ** retries)
  const asked = retryAfterMs(outcome.retryAfter, nowMs) ?? 0
  const delay = Math.max(asked, Math.ceil(random() * longest))
  return delay < leftMs ? delay : undefined
}

/** Reads Retry-After: seconds, or a date (RFC 9110 §10.2.3). Undefined where it is neither. */
export function retryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000
  const date = /^[A-Z][a-z]{2},/.test(value) ? Date.parse(value) : NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs)
}
