import type { StepState } from '@gatehouse/contract'
import { noLease } from '../../../kernel/leases/leased-rows.ts'
import type { Stores } from '../../../stores.ts'
import { releaseDocuments, settleDocument } from '../ledger/documents/document-settlement.ts'
import { readStored } from '../answers/read-body.ts'
import { locationOf } from '../ledger/finish-step.ts'
import { leaveLane, settleInLane } from '../ledger/leave-lane.ts'
import type { DocumentVerdicts } from '../steps/documents/judge-documents.ts'
import { beginPoll } from '../pending/begin-poll.ts'
import { deniedAt } from '../verdicts/contradict.ts'
import type { RunEvidence } from './run-evidence.ts'
import { isUnderWay, runStateOf } from '../ledger/run-state.ts'
import type { RunRow, StepRow } from '../ledger/run-store.ts'

/**
 * `done`: the ledger has it. `later`: the run is under way, so it waits. `foreign`: the ledger has
 * no such attempt.
 */
export type Settled = 'done' | 'later' | 'foreign'

interface Settling {
  now: string
  /** Names this server in the ledger. */
  owner: string
}

/**
 * Stores the evidence of an attempt in the ledger, in one transaction. It finishes an attempt that
 * is still open. For an attempt that was recorded as a crash it adds a late answer, and an
 * acceptance settles the step (docs/runs/safety.md). A second call changes nothing.
 */
export async function settleEvidence(
  stores: Stores,
  evidence: RunEvidence,
  settling: Settling,
): Promise<Settled> {
  const { runs } = stores
  await runs.hold(evidence.run_id)
  const run = await runs.find(evidence.run_id)
  const steps = run ? await runs.listSteps(run.id) : []
  const step = steps.find(({ id }) => id === evidence.step_id)
  const attempts = step ? await runs.listAttemptsOf(step.id) : []
  const attempt = attempts.find(({ id }) => id === evidence.attempt_id)
  if (!run || !step || !attempt) return 'foreign'
  if (attempt.finished_at === null) return finishOpen(stores, evidence, run, settling)
  // Its own server has stored the outcome in the meantime.
  if (attempt.outcome !== 'crash') return 'done'
  const isKept = attempts.some(
    ({ kind, finished_at, started_at }) =>
      kind === 'late_answer' &&
      finished_at === evidence.received_at &&
      started_at === attempt.started_at,
  )
  if (isKept) return 'done'
  if (run.state === 'running') return 'later'
  await runs.insertAttempt({
    step_id: step.id,
    number: await runs.nextAttempt(step.id),
    kind: 'late_answer',
    owner: settling.owner,
    started_at: attempt.started_at,
    finished_at: evidence.received_at,
    outcome: evidence.outcome,
    url: attempt.url,
    ...evidence.kept,
  })
  const denied = deniedAt(attempts)
  const isDenied = denied !== undefined && denied >= attempt.started_at
  const isAccepted = evidence.state === 'succeeded' && unsettled.has(step.state)
  const isTaken =
    evidence.state === 'pending' &&
    (step.state === 'unknown' || (isDenied && step.state === 'waiting'))
  if (isAccepted || isTaken) await settleStep(stores, evidence, { run, steps, step }, settling)
  if (isDenied && (evidence.state === 'succeeded' || evidence.state === 'pending'))
    await runs.updateRun(run.id, { contradicted_at: settling.now })
  return 'done'
}

/** The attempt is still open: this is its outcome. The run ends here and can be resumed. */
async function finishOpen(
  stores: Stores,
  evidence: RunEvidence,
  run: RunRow,
  { now }: Settling,
): Promise<Settled> {
  const { runs } = stores
  // Its server may still carry out the run.
  if (run.epoch !== evidence.epoch || run.state !== 'running') return 'later'
  const { outcome, state, message, not_before, kept } = evidence
  await runs.finishAttempt(evidence.attempt_id, outcome, {
    finished_at: evidence.received_at,
    ...kept,
  })
  await runs.updateStep(evidence.step_id, { state, message, not_before })
  await settleDocumentOf(stores, evidence, now)
  await beginPollOf(stores, evidence, run, now)
  await releaseDocuments(stores, run.id, now)
  const ended = runStateOf(await runs.listSteps(run.id))
  const inLane = { id: run.id, workflowId: run.workflow_id }
  const errorCode = kept.error_code
  const leaving = { state: ended, outcome, errorCode, notBefore: not_before, now, message }
  const runState = await leaveLane(stores, inLane, leaving)
  await runs.updateRun(run.id, {
    state: runState,
    epoch: run.epoch + 1,
    ...noLease,
    finished_at: isUnderWay(runState) ? null : now,
    unknown_since: runState === 'unknown' ? now : null,
  })
  return 'done'
}

/**
 * An acceptance settles a step in any of these states: the authority has the document. An answer that
 * it was taken makes an unknown step pending. Any other late answer is shown, and a person decides.
 */
const unsettled: ReadonlySet<StepState> = new Set([
  'unknown',
  'waiting',
  'blocked',
  'rejected',
  'pending',
])

async function settleStep(
  stores: Stores,
  evidence: RunEvidence,
  { run, steps, step }: { run: RunRow; steps: StepRow[]; step: StepRow },
  { now }: Settling,
): Promise<void> {
  const { state, not_before } = evidence
  const reached = runStateOf(steps.map((each) => (each.id === step.id ? { state } : each)))
  const runState = await settleInLane(stores, run, reached, { goesOn: true, now })
  await stores.runs.updateStep(step.id, {
    state,
    not_before,
    message: `${state === 'pending' ? 'Taken, and decided later' : 'Accepted'}: the answer had come, and was kept until the ledger could be written again.`,
  })
  await stores.runs.updateRun(run.id, {
    state: runState,
    // A request that read the run before finds that it has changed.
    epoch: run.epoch + 1,
    unknown_since: runState === 'unknown' ? run.unknown_since : null,
    ...(runState === 'pending' ? { finished_at: null } : {}),
  })
  await settleDocumentOf(stores, evidence, now)
  await beginPollOf(stores, evidence, run, now)
}

/** From now on the authority is asked for its decision, where it has taken the step. */
async function beginPollOf(
  stores: Stores,
  { state, step_id, ask_by }: RunEvidence,
  run: RunRow,
  now: string,
): Promise<void> {
  if (state !== 'pending') return
  const step = (await stores.runs.listSteps(run.id)).find(({ id }) => id === step_id)
  await beginPoll(stores, {
    runId: run.id,
    stepId: step_id,
    endpointId: step?.endpoint_id ?? 0,
    isTest: run.is_test === 1,
    askBy: ask_by ?? undefined,
    // The keeper reads the settings of the endpoint before it asks again.
    settings: null,
    at: new Date(now),
  })
}

const verdictsOf = (documents: NonNullable<RunEvidence['documents']>): DocumentVerdicts =>
  new Map(
    documents.map(({ reference, state, authority_reference, message }) => [
      reference,
      {
        state,
        authorityReference: authority_reference ?? undefined,
        message: message ?? undefined,
      },
    ]),
  )

async function settleDocumentOf(stores: Stores, evidence: RunEvidence, now: string): Promise<void> {
  const { run_id, position, state, outcome, kept, authority_reference_path, qr_path } = evidence
  const text = kept.answer_body
  await settleDocument(stores, {
    runId: run_id,
    position,
    state,
    outcome,
    settings: { authority_reference_path, qr_path },
    location: locationOf(kept.answer_headers),
    ...(text === null || text === undefined ? {} : { answer: () => readStored(text) }),
    ...(evidence.documents === null ? {} : { verdicts: verdictsOf(evidence.documents) }),
    now,
  })
}
