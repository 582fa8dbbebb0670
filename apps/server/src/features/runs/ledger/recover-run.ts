import type { Clock } from '../../../kernel/clock.ts'
import { noLease } from '../../../kernel/leases/leased-rows.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import { classifyCrash } from '../steps/answers/classify-answer.ts'
import { releaseDocuments, settleDocument } from './documents/document-settlement.ts'
import { leaveLane } from './leave-lane.ts'
import type { Leases } from '../../../kernel/leases/leases.ts'
import type { RunFeed } from './reading/run-feed.ts'
import { runStateOf } from './run-state.ts'
import type { RunRow } from './run-store.ts'

interface Recovery {
  inTransaction: InTransaction
  leases: Leases
  feed: RunFeed
  clock: Clock
  /** Called after the commit, with the run as its server left it. */
  onRecovered?: ((run: RunRow) => void) | undefined
}

/** See `Ledger.recover`. */
export async function recoverRuns(
  { inTransaction, leases, feed, clock, onRecovered }: Recovery,
  isOwn: boolean,
): Promise<number> {
  const wish = await leases.wish()
  const found = await inTransaction(({ runs }) =>
    isOwn ? runs.listOwned(leases.owner) : runs.listAbandoned(wish),
  )
  let recovered = 0
  for (const run of found) {
    // A run that this server carries out stays its own, even after a jump of the clock.
    if (leases.holds(run.id)) continue
    const isDone = await inTransaction((stores) =>
      recoverRun(stores, run, clock.now().toISOString()),
    )
    if (isDone) {
      recovered++
      onRecovered?.(run)
    }
    feed.changed(run.id)
  }
  return recovered
}

/**
 * Takes a run from a server that is gone. Its open attempt becomes a crash, and a submit becomes
 * unknown. False where another server has changed the run meanwhile, or its own server has renewed
 * the lease.
 */
async function recoverRun(stores: Stores, run: RunRow, now: string): Promise<boolean> {
  const { runs } = stores
  const isTaken = await runs.takeFrom(run, {
    epoch: run.epoch + 1,
    ...noLease,
  })
  if (!isTaken) return false
  const open = await runs.listOpenAttempts(run.id)
  for (const attempt of open) {
    const { outcome, state } = classifyCrash(attempt.effect)
    await runs.finishAttempt(attempt.id, outcome, {
      finished_at: now,
      detail: 'The server stopped before an answer came.',
    })
    const message =
      state === 'unknown'
        ? 'Sent, but the outcome is unknown: the server stopped before an answer came.'
        : 'Not confirmed: the server stopped before an answer came. Sending it again does no harm.'
    await runs.updateStep(attempt.step_id, { state, message })
    await settleDocument(stores, {
      runId: run.id,
      position: attempt.position,
      state,
      outcome,
      settings: { authority_reference_path: '', qr_path: '' },
      now,
    })
  }
  const [sentAt] = open.map(({ started_at }) => started_at).toSorted()
  await releaseDocuments(stores, run.id, now)
  const steps = await runs.listSteps(run.id)
  const reached = runStateOf(steps)
  // A run of a lane has no steps until it is opened.
  const ended = steps.length === 0 ? 'not_started' : reached === 'running' ? 'stopped' : reached
  const state = await leaveLane(
    stores,
    { id: run.id, workflowId: run.workflow_id },
    {
      state: ended,
      outcome: 'crash',
      errorCode: null,
      notBefore: null,
      now,
      message: 'The server stopped.',
    },
  )
  await runs.updateRun(run.id, {
    state,
    finished_at: state === 'queued' ? null : now,
    // Since it was sent, however long no server was there to see it: alarms count from then.
    unknown_since: state === 'unknown' ? (sentAt ?? now) : null,
  })
  return true
}
