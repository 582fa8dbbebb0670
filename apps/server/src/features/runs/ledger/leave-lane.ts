import type { RunState } from '@gatehouse/contract'
import type { Row } from '../../../db/tables.ts'
import type { Stores } from '../../../stores.ts'
import type { RunRow } from './run-store.ts'
import { lockNumber } from './idempotency.ts'
import {
  backOffMs,
  fateOf,
  isFailure,
  isSignInAway,
  isSignInRefused,
  nextTry,
  type Ended,
} from './lane-fate.ts'

/** Failures in a row after which the lane lets one run through at a time. */
const outageAfter = 5

interface Leaving extends Ended {
  /** Why, in words. */
  message: string | null
}

/** A run that may be in a lane. */
interface InLane {
  id: number
  /** Absent: it is in no lane. */
  workflowId?: number | null | undefined
  /** Its place in the lane, where it was read. */
  laneEntry?: Row<'lane_entry'> | undefined
}

/** The lock of an order key in a lane. */
export const orderLock = (laneId: number, orderKey: string) =>
  lockNumber(`lane:${laneId}:${orderKey}`)

/**
 * Settles what becomes of a run in its lane, in the transaction that stores how the run has ended; the run
 * is locked. Returns the state that the run gets: `queued` where it is tried again by itself. Does nothing
 * for a run that is in no lane.
 */
export async function leaveLane(stores: Stores, run: InLane, leaving: Leaving): Promise<RunState> {
  const { state, message } = leaving
  const { lanes } = stores
  if ((run.workflowId ?? null) === null) return state
  const entry = run.laneEntry ?? (await lanes.findEntry(run.id))
  if (!entry) return state
  if (entry.state === 'running') await noteAnswer(stores, entry, leaving)
  const fate = fateOf(entry, leaving)
  if (fate.what === 'is_held') {
    await lanes.updateEntry(run.id, { state: 'held', message })
    return state
  }
  if (fate.what === 'leaves') {
    await removeFromLane(stores, entry)
    return state
  }
  const { nextTryAt, tries, refusals } = fate
  const change = { next_try_at: nextTryAt, tries, refusals, message }
  await lanes.updateEntry(run.id, { state: 'queued', ...change })
  return 'queued'
}

/**
 * Settles what becomes of a run in its lane when the outcome of a step was decided without a call of that
 * step: by a person, a status query, a poll or a late answer. Call it in the transaction that decides, with
 * the state that the run would have; returns the state that it gets. `goesOn`: steps that are left are
 * carried out by themselves. Otherwise a person goes on with the run.
 */
export async function settleInLane(
  stores: Stores,
  run: Pick<RunRow, 'id' | 'workflow_id' | 'created_at'>,
  state: RunState,
  { goesOn, now }: { goesOn: boolean; now: string },
): Promise<RunState> {
  if (run.workflow_id === null || state === 'unknown' || state === 'pending') return state
  const { lanes } = stores
  const entry = await lanes.findEntry(run.id)
  const isLeft = state === 'stopped' || state === 'not_started'
  if (isLeft && (goesOn || entry?.state === 'queued')) {
    if (entry)
      await lanes.updateEntry(run.id, { state: 'queued', next_try_at: null, message: null })
    else {
      const of = { workflowId: run.workflow_id, createdAt: run.created_at }
      await lanes.insertAgain(run.id, of, now)
    }
    return 'queued'
  }
  if (entry) await removeFromLane(stores, entry)
  return state
}

/** Takes a run out of its lane: the next with its order key may be carried out. */
export async function removeFromLane(stores: Stores, entry: Row<'lane_entry'>): Promise<void> {
  const { runs, lanes, withCommit } = stores
  const { run_id, lane_id, order_key } = entry
  if (order_key !== null) await runs.lock(orderLock(lane_id, order_key))
  withCommit(lanes.removeEntry(run_id))
  if (order_key !== null) withCommit(lanes.promoteNext(lane_id, order_key))
}

/** Notes with the lane whether the authority has answered. */
async function noteAnswer(
  { lanes, withCommit }: Stores,
  { lane_id, run_id }: Row<'lane_entry'>,
  leaving: Leaving,
): Promise<void> {
  const { outcome, notBefore, now, message } = leaving
  if (outcome === null || outcome === 'crash') return
  if (isSignInRefused(leaving)) {
    await lanes.pauseItself(lane_id, now, message ?? 'The sign-in was refused.')
    return
  }
  const isAway = isSignInAway(leaving)
  if (!isAway && !isFailure(outcome)) {
    withCommit(lanes.clearFailures(lane_id))
    return
  }
  const failures = await lanes.countFailure(lane_id)
  // Without a token no run of the lane can be sent.
  const isOutage = isAway || failures >= outageAfter
  if (!isOutage && outcome !== 'throttled' && notBefore === null) return
  const pauseMs = backOffMs(Math.max(0, failures - outageAfter), run_id)
  await lanes.delay(lane_id, nextTry(now, pauseMs, notBefore), isOutage ? now : null)
}
