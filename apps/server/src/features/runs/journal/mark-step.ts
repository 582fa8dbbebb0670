import type { Row } from '../../../db/tables.ts'
import { noLease } from '../../../kernel/leases/leased-rows.ts'
import type { Stores } from '../../../stores.ts'
import { claimDocument } from '../ledger/documents/document-ledger.ts'
import { settleDocument } from '../ledger/documents/document-settlement.ts'
import { runStateOf } from '../ledger/run-state.ts'
import { asker } from '../pending/asker.ts'
import { sentAfterWords } from './enter-found.ts'
import type { SubmitEntry } from './submit-entry.ts'

type StepRow = Row<'run_step'>

/**
 * The backup has the step, and not that it was sent once more after an attempt that had no effect: its outcome is
 * unknown, and its lane does not send it. False where that is known: a start that read the journal was killed. Throws
 * an AppError where another run holds one of its documents.
 */
export async function markStep(
  stores: Stores,
  step: StepRow,
  entry: SubmitEntry,
  { owner, now }: { owner: string; now: string },
): Promise<boolean> {
  const { runs, lanes } = stores
  await runs.hold(step.run_id)
  const run = await runs.find(step.run_id)
  const attempts = await runs.listAttemptsOf(step.id)
  const isKnown = attempts.some(
    ({ kind, started_at }) => (kind === 'send' || kind === 'resend') && started_at >= entry.at,
  )
  if (!run || isKnown) return false
  for (const { id } of await runs.listOpenAttempts(run.id))
    await runs.finishAttempt(id, 'crash', { finished_at: now })
  await runs.insertAttempt({
    step_id: step.id,
    number: await runs.nextAttempt(step.id),
    kind: 'send',
    outcome: 'crash',
    owner,
    started_at: entry.at,
    finished_at: now,
    detail: sentAfterWords,
    user_id: null,
    user_name: asker.user.name,
    note: `SHA-256 of the body: ${entry.sha256}`,
  })
  // The authority has answered to an attempt that the backup has.
  if (answered.has(step.state)) return true
  const state = 'unknown'
  const steps = await runs.listSteps(run.id)
  await runs.updateStep(step.id, { state, message: sentAfterWords, not_before: null })
  await runs.updateRun(run.id, {
    state: runStateOf(steps.map((each) => (each.id === step.id ? { state } : each))),
    epoch: run.epoch + 1,
    ...noLease,
    unknown_since: run.unknown_since ?? entry.at,
    finished_at: run.finished_at ?? now,
  })
  if (await lanes.findEntry(run.id))
    await lanes.updateEntry(run.id, { state: 'held', message: sentAfterWords })
  await holdDocuments(stores, step, entry, now)
  return true
}

const answered: ReadonlySet<StepRow['state']> = new Set(['succeeded', 'partial', 'pending'])

async function holdDocuments(
  stores: Stores,
  { run_id: runId, position, endpoint_id }: StepRow,
  { references, register, kind, test }: SubmitEntry,
  now: string,
): Promise<void> {
  const endpoint = await stores.endpoints.find(endpoint_id)
  for (const reference of references.toSorted())
    await claimDocument(stores, {
      runId,
      position,
      endpointId: endpoint_id,
      ...(endpoint ? { apiId: endpoint.api_id } : {}),
      register,
      isKept: true,
      kind,
      isTest: test,
      reference,
      originalReference: null,
      now,
    })
  await settleDocument(stores, {
    runId,
    position,
    state: 'unknown',
    outcome: 'crash',
    settings: { authority_reference_path: '', qr_path: '' },
    now,
  })
}
