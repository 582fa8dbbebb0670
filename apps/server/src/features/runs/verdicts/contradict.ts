import type { NewRow } from '../../../db/tables.ts'
import type { Stores } from '../../../stores.ts'
import type { Answered } from '../actions/status-query/weighed-answer.ts'
import { settleDocument } from '../ledger/documents/document-settlement.ts'
import type { AttemptRow } from '../ledger/attempt-store.ts'
import type { StoredRun } from '../ledger/open-run.ts'
import { runStateOf } from '../ledger/run-state.ts'
import type { RunRow, StepRow } from '../ledger/run-store.ts'
import type { DocumentVerdict } from '../steps/documents/judge-documents.ts'

interface Contradicted {
  run: RunRow
  steps: readonly StepRow[]
  step: StepRow
}

interface Contradiction {
  /** The documents that the authority has, where a request carries several. */
  references?: readonly string[]
  now: string
}

/** When a person last said that the step was not received. */
export const deniedAt = (attempts: readonly AttemptRow[]): string | undefined =>
  attempts.findLast(({ kind }) => kind === 'resolved_not_received')?.started_at

/**
 * The authority says that it has what a person called not received: that is an alarm. Where it was not sent again, its
 * outcome is unknown once more, so that nothing sends it. Call it under the lock of the run, beside the attempt that
 * keeps what was said.
 */
export async function contradict(
  stores: Stores,
  { run, steps, step }: Contradicted,
  { references, now }: Contradiction,
): Promise<void> {
  await stores.runs.updateRun(run.id, { contradicted_at: now })
  const isBack = step.state === 'waiting' && notUnderWay.has(run.state)
  if (!isBack) return
  const entry = await stores.lanes.findEntry(run.id)
  // In strict order the next document waits.
  if (entry) await stores.lanes.updateEntry(run.id, { state: 'held', message: words })
  const state = 'unknown'
  await stores.runs.updateRun(run.id, {
    state: runStateOf(steps.map((each) => (each.id === step.id ? { state } : each))),
    // A request that read the run before finds that it has changed.
    epoch: run.epoch + 1,
    unknown_since: now,
    finished_at: run.finished_at ?? now,
  })
  await stores.runs.updateStep(step.id, { state, message: words, not_before: null })
  const unknown: DocumentVerdict = { state: 'unknown' }
  await settleDocument(stores, {
    runId: run.id,
    position: step.position,
    state,
    outcome: null,
    settings: { authority_reference_path: '', qr_path: '' },
    ...(references ? { verdicts: new Map(references.map((each) => [each, unknown])) } : {}),
    now,
  })
}

const notUnderWay: ReadonlySet<RunRow['state']> = new Set(['not_started', 'stopped', 'queued'])

const words =
  'It counted as not received, and the authority says that it has it: the outcome is unknown.'

/**
 * A question was under way while a person said that the step was not received, and its answer says otherwise: it is
 * kept. False where that is not so.
 */
export async function keepContradiction(
  stores: Stores,
  { run }: StoredRun,
  { id: stepId }: StepRow,
  { said, askedAt }: Answered,
  attempt: Omit<NewRow<'run_attempt'>, 'number'>,
): Promise<boolean> {
  if (said.verdict !== 'received' && said.verdict !== 'pending') return false
  const { runs } = stores
  await runs.hold(run.id)
  const now = await runs.find(run.id)
  if (!now || now.epoch === run.epoch) return false
  const denied = deniedAt(await runs.listAttemptsOf(stepId))
  const steps = await runs.listSteps(run.id)
  const step = steps.find(({ id }) => id === stepId)
  if (!step || denied === undefined || denied < askedAt.toISOString()) return false
  await runs.insertAttempt({ ...attempt, number: await runs.nextAttempt(stepId) })
  await contradict(stores, { run: now, steps, step }, { now: attempt.finished_at ?? denied })
  return true
}
