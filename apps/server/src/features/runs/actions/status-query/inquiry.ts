import type { StatusQuery, UndecidedReason } from '@gatehouse/contract'
import type { AttemptRow } from '../../ledger/attempt-store.ts'
import type { Target } from '../../steps/target.ts'

/** How often the endpoint must answer "not received" before that settles a step. */
export const negativesNeeded = 2

/** The time between two of these answers; a shorter quiet period is used instead. */
const spacingMaxSeconds = 30

/** The state of the status query of a step. */
export interface Inquiry {
  quietSeconds: number
  /** An attempt is open: its outcome is not known yet. */
  isOpen: boolean
  /** Until then the endpoint may still process what it received last. */
  quietUntilMs: number
  /** The times of the questions that were answered with a no and count. */
  negativesAtMs: number[]
}

export type Weighed =
  | { settles: true }
  | { settles: false; because: UndecidedReason; askAgainAfter: Date | null }

/**
 * Reads the state from a step's attempts. An answer has the time of its question. `no` says which no is
 * counted.
 */
export function inquiryOf(
  attempts: readonly AttemptRow[],
  { quiet_seconds: quietSeconds }: Pick<StatusQuery, 'quiet_seconds'>,
  target: Pick<Target, 'connectTimeoutMs' | 'answerTimeoutMs'>,
  no: 'not_received' | 'rejected' = 'not_received',
): Inquiry {
  const sent = attempts.filter(
    ({ kind, outcome }) => (kind === 'send' || kind === 'resend') && outcome !== 'not_sent',
  )
  const ends = sent.map((attempt) => endOf(attempt, target))
  const quietUntilMs = Math.max(0, ...ends) + quietSeconds * 1000
  const inquiry: Inquiry = {
    quietSeconds,
    isOpen: sent.some(({ finished_at }) => finished_at === null),
    quietUntilMs,
    negativesAtMs: [],
  }
  for (const { verdict, started_at } of attempts) {
    const atMs = Date.parse(started_at)
    if (verdict === no && atMs >= countsFromMs(inquiry)) inquiry.negativesAtMs.push(atMs)
  }
  return inquiry
}

/** Whether a no, asked for at this moment, settles the step. Lock the run before. */
export function weighNegative(inquiry: Inquiry, askedAt: Date): Weighed {
  const undecided = (because: UndecidedReason, askAgainAfterMs: number) =>
    ({ settles: false, because, askAgainAfter: new Date(askAgainAfterMs) }) as const
  const { isOpen, quietUntilMs, negativesAtMs } = inquiry
  const askedAtMs = askedAt.getTime()
  if (isOpen) return { settles: false, because: 'under_way', askAgainAfter: null }
  if (askedAtMs < quietUntilMs) return undecided('too_early', quietUntilMs)
  if (askedAtMs < countsFromMs(inquiry)) return undecided('too_soon', countsFromMs(inquiry))
  return negativesAtMs.length + 1 >= negativesNeeded
    ? { settles: true }
    : undecided('said_once', askedAtMs + spacingMs(inquiry))
}

/** From when a "not received" counts; null where it counts now. */
export function askAgainAfter(inquiry: Inquiry, now: Date): string | null {
  const fromMs = countsFromMs(inquiry)
  return fromMs > now.getTime() ? new Date(fromMs).toISOString() : null
}

export const spacingSeconds = ({ quietSeconds }: Pick<Inquiry, 'quietSeconds'>) =>
  Math.min(spacingMaxSeconds, quietSeconds)

const spacingMs = (inquiry: Inquiry) => spacingSeconds(inquiry) * 1000

function countsFromMs(inquiry: Inquiry): number {
  const last = inquiry.negativesAtMs.at(-1)
  return last === undefined
    ? inquiry.quietUntilMs
    : Math.max(inquiry.quietUntilMs, last + spacingMs(inquiry))
}

/**
 * A server that was taken for dead may have waited for its answer until the timeouts of its API.
 */
function endOf(
  { outcome, started_at, finished_at }: AttemptRow,
  { connectTimeoutMs, answerTimeoutMs }: Pick<Target, 'connectTimeoutMs' | 'answerTimeoutMs'>,
): number {
  const startedMs = Date.parse(started_at)
  const seenMs = Date.parse(finished_at ?? started_at)
  return outcome === 'crash'
    ? Math.max(seenMs, startedMs + connectTimeoutMs + answerTimeoutMs)
    : seenMs
}
