import type { Exchanged, HttpAnswered } from '@gatehouse/upstream'
import type { RowChange } from '../../../db/tables.ts'
import type { Stores } from '../../../stores.ts'
import { classifyAnswer, type Classified } from '../steps/classify-answer.ts'
import { releaseDocuments, settleDocument } from './document-ledger.ts'
import { explainOutcome, notBefore } from '../steps/explain-outcome.ts'
import { LeaseLost, type LiveRun, type OpenAttempt } from './live-run.ts'
import { runStateOf } from './run-state.ts'

/** The outcome of an attempt, ready to be stored, without the credential. */
export interface SeenAnswer {
  classified: Classified
  /** The message of the step; null upon success. */
  message: string | null
  notBefore: string | null
  /** Columns of the attempt. */
  kept: Pick<
    RowChange<'run_attempt'>,
    | 'error_code'
    | 'status'
    | 'duration_ms'
    | 'detail'
    | 'answer_headers'
    | 'answer_body'
    | 'answer_bytes'
  >
  /** The body as it was received, which later steps take from; undefined where none came. */
  received: string | undefined
}

/** Classifies an answer and selects what is stored of it. Changes nothing. */
export function seeAnswer(
  live: Pick<LiveRun, 'kind'>,
  { step }: Pick<OpenAttempt, 'step'>,
  exchanged: Exchanged,
  at: Date,
): SeenAnswer {
  const { plan } = step
  const { answer, shown } = exchanged
  const classified = classifyAnswer(answer, {
    effect: plan.effect,
    isResend: step.isResend,
    mayHaveArrived: step.mayHaveArrived,
    rules: plan.target.settings,
    credential: plan.credential,
  })
  return {
    classified,
    message: explainOutcome(classified, shown),
    notBefore: notBefore(answer, at),
    kept: {
      error_code: classified.errorCode ?? null,
      status: answer.status ?? null,
      duration_ms: Math.round(answer.durationMs),
      detail: shown.ok ? null : shown.detail,
      ...(shown.ok ? keptAnswer(shown) : {}),
    },
    // Later steps take from the received answer, not from the shown one.
    received: answer.ok ? keptText(answer.body) : undefined,
  }
}

/**
 * Stores the outcome of an attempt and the new states of its step and document. Where the step was
 * the last one or did not succeed, it also ends the run. Call it in a transaction that has locked
 * the run.
 */
export async function finishStep(
  stores: Stores,
  live: LiveRun,
  attempt: OpenAttempt,
  exchanged: Exchanged,
  at: Date,
): Promise<Classified> {
  const { id, step } = attempt
  const { plan } = step
  const seen = seeAnswer(live, attempt, exchanged, at)
  const { classified, message, received } = seen
  const { outcome, state } = classified
  const now = at.toISOString()
  const isOpen = await stores.runs.finishAttempt(id, outcome, { finished_at: now, ...seen.kept })
  const change = { state, message, not_before: seen.notBefore }
  if (!isOpen || !(await stores.runs.moveStep(step.id, 'sending', change)))
    throw new LeaseLost(live.id)
  step.state = state
  step.answerText = state === 'succeeded' ? received : undefined
  await settleDocument(stores.documents, {
    runId: live.id,
    position: plan.position,
    state,
    outcome,
    settings: plan.target.settings,
    answerBody: received,
    now,
  })
  const isLast = live.steps.every(
    (each) => each.state === 'succeeded' || each.state === 'would_send',
  )
  if (state === 'succeeded' && !isLast) return classified
  await releaseDocuments(stores.documents, live.id, now)
  const runState = runStateOf(live.steps)
  await stores.runs.updateRun(live.id, {
    state: runState,
    finished_at: now,
    unknown_since: runState === 'unknown' ? now : null,
    lease_owner: null,
    lease_until: null,
  })
  return classified
}

const keptHeaders = ['content-type', 'retry-after', 'location', 'x-request-id']

function keptAnswer({ headers, body }: HttpAnswered) {
  const kept = keptHeaders.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, headers[name]]],
  )
  return {
    answer_headers: JSON.stringify(Object.fromEntries(kept)),
    answer_body: keptText(body),
    answer_bytes: body.length,
  }
}

function keptText(body: Buffer): string {
  // PostgreSQL's text can't hold NUL.
  return body.toString('utf8').replaceAll('\0', '\uFFFD')
}
