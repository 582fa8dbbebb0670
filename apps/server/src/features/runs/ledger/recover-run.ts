import type { Stores } from '../../../stores.ts'
import { classifyCrash } from '../steps/classify-answer.ts'
import { releaseDocuments, settleDocument } from './document-ledger.ts'
import { runStateOf } from './run-state.ts'
import type { RunRow } from './run-store.ts'

/**
 * Takes a run from a server that is gone. Its open attempt becomes a crash, and a submit becomes
 * unknown. False where another server has changed the run meanwhile, or its own server has renewed
 * the lease.
 */
export async function recoverRun(stores: Stores, run: RunRow, now: string): Promise<boolean> {
  const { runs, documents } = stores
  const isTaken = await runs.takeFrom(run, {
    epoch: run.epoch + 1,
    lease_owner: null,
    lease_until: null,
  })
  if (!isTaken) return false
  for (const attempt of await runs.listOpenAttempts(run.id)) {
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
    await settleDocument(documents, {
      runId: run.id,
      position: attempt.position,
      state,
      outcome,
      settings: { authority_reference_path: '', qr_path: '' },
      now,
    })
  }
  await releaseDocuments(documents, run.id, now)
  const state = runStateOf(await runs.listSteps(run.id))
  await runs.updateRun(run.id, {
    state: state === 'running' ? 'stopped' : state,
    finished_at: now,
    unknown_since: state === 'unknown' ? now : null,
  })
  return true
}
