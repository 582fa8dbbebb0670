import type { Outcome, RunState } from '@gatehouse/contract'
import type { Row } from '../../../db/tables.ts'

/** How a run in a lane has ended, for now. */
export interface Ended {
  state: RunState
  /** Of the last attempt; null where the run ended without one, as when the server stops. */
  outcome: Outcome | null
  /** Of the last attempt: says where it failed. */
  errorCode: string | null
  /** The authority asked to wait until then. */
  notBefore: string | null
  now: string
}

type LaneFate =
  /** It leaves the lane. */
  | { what: 'leaves' }
  /** What became of it is not decided: later runs with its order key wait. */
  | { what: 'is_held' }
  /** It is tried again by itself. */
  | { what: 'is_queued'; nextTryAt: string | null; tries: number; refusals: number }

type Entry = Pick<Row<'lane_entry'>, 'run_id' | 'state' | 'order_key' | 'tries' | 'refusals'>

const backOffMinMs = 1_000
const backOffMaxMs = 300_000

/**
 * The pause before the next try: it doubles with each, from a second to five minutes, and up to a quarter
 * is added that differs from run to run, so that they don't all come at once.
 */
export function backOffMs(tries: number, runId: number): number {
  const pauseMs = Math.min(backOffMinMs * 2 ** Math.min(tries, 20), backOffMaxMs)
  // Multiplied by a large odd number, neighbours lie far apart.
  const spread = (Math.imul(runId * 31 + tries, 0x9e3779b1) >>> 0) / 2 ** 32
  return Math.min(Math.round(pauseMs * (1 + spread / 4)), backOffMaxMs)
}

/** The later of a pause from now and the moment that the authority named. */
export function nextTry(now: string, pauseMs: number, notBefore: string | null): string {
  const at = new Date(Date.parse(now) + pauseMs).toISOString()
  return notBefore !== null && notBefore > at ? notBefore : at
}

/** After this moment a run is not sent any more; null: it has no deadline. `takenAt`: when it was taken. */
export const deadlineFrom = (takenAt: string, maxAgeMinutes: number | null): string | null =>
  maxAgeMinutes === null
    ? null
    : new Date(Date.parse(takenAt) + maxAgeMinutes * 60_000).toISOString()

/** No token can be had now, which passes by itself (spec: ill-sign-in). */
export const isSignInAway = ({ outcome, errorCode, state }: SignInSeen) =>
  errorCode === 'upstream.sign_in' && state !== 'blocked' && outcome !== null

/** What is shown is not accepted: by the endpoint, or by the address that gives its tokens. */
export const isSignInRefused = ({ outcome, errorCode, state }: SignInSeen) =>
  (outcome === 'auth' && errorCode !== 'upstream.sign_in') ||
  (outcome === 'not_sent' && state === 'blocked')

type SignInSeen = Pick<Ended, 'state' | 'outcome' | 'errorCode'>

/** Outcomes that don't come from an authority that works. After several in a row its lane slows down. */
export const isFailure = (outcome: Outcome | null) =>
  outcome !== null && ['not_sent', 'throttled', 'server_error', 'timeout', 'cut'].includes(outcome)

/**
 * What becomes of a run in its lane (spec: lanes). Only what certainly had no effect is tried again by
 * itself. A refused sign-in is about the credentials, so the run is tried once more when a person has let
 * the lane go on; refused again by the endpoint, it is about the run.
 */
export function fateOf(entry: Entry, ended: Ended): LaneFate {
  const { state, outcome, notBefore, now } = ended
  const isUndecided = state === 'unknown' || state === 'pending'
  if (isUndecided && entry.order_key !== null) return { what: 'is_held' }
  // A person goes on with a run that is held: it is not tried again by itself.
  if (entry.state !== 'running' || isUndecided) return { what: 'leaves' }
  if (state === 'blocked' && isSignInRefused(ended)) {
    const refusals = entry.refusals + (outcome === 'auth' ? 1 : 0)
    if (refusals <= 1) return { what: 'is_queued', nextTryAt: null, tries: entry.tries, refusals }
  }
  if (state !== 'not_started' && state !== 'stopped') return { what: 'leaves' }
  const tries = entry.tries + (outcome === null ? 0 : 1)
  const pauseMs = outcome === null ? 0 : backOffMs(entry.tries, entry.run_id)
  const nextTryAt = outcome === null ? null : nextTry(now, pauseMs, notBefore)
  return { what: 'is_queued', nextTryAt, tries, refusals: 0 }
}
