import type { Outcome, RunSettings } from '@gatehouse/contract'
import { leaseColumns } from '../../../kernel/leases/leased-rows.ts'
import { textAt } from '@gatehouse/contract/answer-rule'
import { defaultPendingTimes } from '@gatehouse/contract/run-profiles'
import type { Stores } from '../../../stores.ts'
import type { StatusVerdict } from '../actions/status-query/classify-status-answer.ts'
import { inquiryOf, type Weighed } from '../actions/status-query/inquiry.ts'
import { attemptOf } from '../actions/status-query/weighed-answer.ts'
import type { AttemptRow } from '../ledger/attempt-store.ts'
import { settleDocument } from '../ledger/documents/document-settlement.ts'
import { mayHaveArrivedBefore } from './may-have-arrived-before.ts'
import { settleInLane } from '../ledger/leave-lane.ts'
import { isUnderWay, runStateOf } from '../ledger/run-state.ts'
import type { RunRow, StepRow } from '../ledger/run-store.ts'
import { readBody, readStored } from '../answers/read-body.ts'
import { decidePending, type Decision } from './decide-pending.ts'
import type { Settling } from './settling.ts'
import { decideSeveral, settleSeveral } from './settle-several.ts'
import type { PendingStepRow } from './poll-store.ts'

export type Settled =
  /** Another server, a person or a late answer has settled the step. */
  | { what: 'gone' }
  /** `goesOn`: the run is under way on this server, and its next steps are to be sent. */
  | { what: 'asked'; said: StatusVerdict | undefined; weighed: Weighed; goesOn: boolean }

/**
 * Stores what the authority said of a pending step, in one transaction with the new states of the step,
 * its run and its document. Of two servers at once, the second finds that the step is not pending.
 */
export async function settlePending(
  stores: Stores,
  pending: PendingStepRow,
  settling: Settling,
): Promise<Settled> {
  const { runs, polls } = stores
  await runs.hold(pending.run_id)
  const run = await runs.find(pending.run_id)
  const steps = await runs.listSteps(pending.run_id)
  const step = steps.find(({ id }) => id === pending.step_id)
  if (!run || run.state !== 'pending' || step?.state !== 'pending') {
    await polls.removeStep(pending.step_id)
    return { what: 'gone' }
  }
  const attempts = await runs.listAttemptsOf(step.id)
  const several = await decideSeveral(stores, { run, step, attempts }, pending.since, settling)
  const decision = several?.decision ?? decide(attempts, pending.since, settling)
  const isNews = several !== undefined && several.verdicts.size > 0
  await noteAnswer(stores, step, attempts, decision, settling, isNews ? several.words : undefined)
  const { weighed } = decision
  const said = several?.said ?? settling.answered?.said
  if (decision.state === 'pending') {
    if (isNews) {
      await stores.runs.updateStep(step.id, { message: several.words })
      await settleSeveral(stores, { run, step }, several.verdicts, settling)
    }
    return { what: 'asked', said, weighed, goesOn: false }
  }
  const states = steps.map((each) => (each.id === step.id ? decision : each))
  const goesOn = await moveRun(stores, run, states, settling)
  const { state, message } = decision
  await runs.moveStep(step.id, 'pending', { state, message, not_before: null })
  if (several) await settleSeveral(stores, { run, step }, several.verdicts, settling)
  else await settleDocumentOf(stores, { run, step, attempts }, decision, settling)
  if (goesOn) await polls.setGoingOn(step.id)
  else await polls.removeStep(step.id)
  return { what: 'asked', said, weighed, goesOn }
}

function decide(attempts: AttemptRow[], since: string, settling: Settling): Decision {
  const { answered, target, askBy, at } = settling
  const query = answered?.asked.query ?? { quiet_seconds: 0 }
  const times = target ?? { connectTimeoutMs: 0, answerTimeoutMs: 0 }
  return decidePending({
    said: answered?.said,
    askedAt: answered?.askedAt ?? at,
    isSpecific: askBy !== null,
    inquiry: inquiryOf(attempts, query, times, 'rejected'),
    mayHaveArrivedBefore: mayHaveArrivedBefore(attempts),
    since,
    settings: target?.settings.pending ?? defaultPendingTimes,
  })
}

/** Keeps the answer as an attempt. The product keeps an answer only where it says something new. */
async function noteAnswer(
  { runs }: Stores,
  step: StepRow,
  attempts: readonly AttemptRow[],
  { state, weighed }: Decision,
  { answered, caller, owner, at }: Settling,
  news: string | undefined,
): Promise<void> {
  if (!answered) return
  const attempt = attemptOf(answered, weighed)
  const before = attempts.findLast(({ kind }) => kind === 'status_query')
  const isSame =
    news === undefined && before?.verdict === attempt.verdict && before.status === attempt.status
  const counts = attempt.verdict === 'rejected'
  if (state === 'pending' && caller === undefined && isSame && !counts) return
  const { said } = answered
  await runs.insertAttempt({
    ...attempt,
    ...(news === undefined ? {} : { detail: news }),
    step_id: step.id,
    number: await runs.nextAttempt(step.id),
    kind: 'status_query',
    owner,
    finished_at: at.toISOString(),
    user_id: caller?.user.id ?? null,
    user_name: caller?.user.name ?? null,
    reference: said.verdict === 'received' ? (said.authorityReference ?? null) : null,
    has_settled: weighed.settles ? 1 : 0,
    // Later steps take values from the answer that accepts.
    outcome: outcomes[state] ?? null,
  })
}

const outcomes: Partial<Record<Decision['state'], Outcome>> = {
  succeeded: 'ok',
  rejected: 'rejected',
  partial: 'partial',
}

/**
 * True where the run goes on by this server, which sends its next steps. That of a workflow goes back to
 * its lane.
 */
async function moveRun(
  stores: Stores,
  run: RunRow,
  steps: readonly Pick<StepRow, 'state'>[],
  { owner, leaseUntil, at }: Settling,
): Promise<boolean> {
  const now = at.toISOString()
  const ended = runStateOf(steps)
  const state = await settleInLane(stores, run, ended, { goesOn: true, now })
  const goesOn = state === 'stopped'
  await stores.runs.moveRun(run, {
    ...(goesOn
      ? { state: 'running', ...leaseColumns({ owner, until: leaseUntil }), finished_at: null }
      : { state, finished_at: isUnderWay(state) ? null : now }),
    epoch: run.epoch + 1,
    unknown_since: state === 'unknown' ? now : null,
  })
  return goesOn
}

const noPaths: Pick<RunSettings, 'authority_reference_path' | 'qr_path'> = {
  authority_reference_path: '',
  qr_path: '',
}

/** The number of the authority and the QR code are in the decision, or else where it took it. */
async function settleDocumentOf(
  stores: Stores,
  { run, step, attempts }: { run: RunRow; step: StepRow; attempts: readonly AttemptRow[] },
  { state }: Decision,
  { answered, target, at }: Settling,
): Promise<void> {
  const settings = target?.settings ?? noPaths
  const said = answered?.said
  const shown = answered?.asked.shown
  const decided = shown?.ok ? readBody(shown.body) : undefined
  const text = attempts.findLast(({ outcome }) => outcome === 'pending')?.answer_body
  const taken = text === undefined || text === null ? undefined : readStored(text)
  const authorityReference =
    (said?.verdict === 'received' ? said.authorityReference : undefined) ??
    textAt(taken, settings.authority_reference_path)
  const hasQr = textAt(decided, settings.qr_path) !== undefined
  await settleDocument(stores, {
    runId: run.id,
    position: step.position,
    state,
    outcome: null,
    settings: { authority_reference_path: '', qr_path: settings.qr_path },
    answer: () => (hasQr ? decided : taken),
    authorityReference,
    now: at.toISOString(),
  })
}
