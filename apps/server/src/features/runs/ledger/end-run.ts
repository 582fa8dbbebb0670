import type { RunState } from '@gatehouse/contract'
import { noLease } from '../../../kernel/leases/leased-rows.ts'
import type { Stores } from '../../../stores.ts'
import { releaseDocuments } from './documents/document-settlement.ts'
import { leaveLane } from './leave-lane.ts'
import { versionOf, type LiveRun } from './reading/live-run.ts'

/** Something of ours has failed, which is not the run's fault. */
export interface OwnFailure {
  message: string
}

interface Ending {
  /** The state that its steps give it. */
  reached: RunState
  /** Null: the server stops, or a step can't be sent. */
  failure: OwnFailure | null
  now: string
}

/** Ends a run between two steps, or gives it back to its lane. Call it in a transaction that has locked the run. */
export async function endRun(
  stores: Stores,
  live: LiveRun,
  { reached, failure, now }: Ending,
): Promise<void> {
  await releaseDocuments(stores, live.id, now)
  // A run of a lane has no steps until it is opened.
  const isOpened = live.steps.length > 0 || reached !== 'succeeded'
  const state = await leaveLane(stores, live, {
    state: isOpened ? reached : 'not_started',
    outcome: failure && 'crash',
    errorCode: null,
    notBefore: null,
    now,
    message: failure?.message ?? null,
  })
  const ended = { state, finished_at: state === 'queued' ? null : now }
  const change = { ...ended, ...noLease }
  await stores.runs.updateRun(live.id, change, versionOf(live))
}
