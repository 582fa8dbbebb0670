import { bodyText } from '@gatehouse/contract/answer-tree'
import type { Outcome, RunSettings } from '@gatehouse/contract'
import type { ExactJson } from '@gatehouse/contract/mapping'
import type { Exchanged, HttpAnswered } from '@gatehouse/upstream'
import { noLease } from '../../../kernel/leases/leased-rows.ts'
import { allOf } from '../../../db/all-of.ts'
import type { RowChange } from '../../../db/tables.ts'
import type { Stores } from '../../../stores.ts'
import { classifyAnswer, type ClassifyingRules } from '../steps/answers/classify-answer.ts'
import { judgeDocuments } from '../steps/documents/judge-documents.ts'
import { readBody } from '../answers/read-body.ts'
import { releaseDocuments, settleDocument } from './documents/document-settlement.ts'
import { explainDocuments } from '../steps/documents/explain-documents.ts'
import { explainOutcome, notBefore } from '../steps/answers/explain-outcome.ts'
import { leaveLane } from './leave-lane.ts'
import {
  LeaseLost,
  versionOf,
  type LiveRun,
  type LiveStep,
  type OpenAttempt,
} from './reading/live-run.ts'
import { isDone, isUnderWay, runStateOf } from './run-state.ts'
import { beginPoll } from '../pending/begin-poll.ts'

/** The outcome of an attempt, ready to be stored, without the credential. */
export interface SeenAnswer {
  classified: ReturnType<typeof judgeDocuments>
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
  /** The tree of that body. */
  tree: (() => ExactJson | undefined) | undefined
}

type JudgingSettings = ClassifyingRules &
  Pick<RunSettings, 'documents' | 'wait_path' | 'message_path'>

/** A step as far as its answer is judged by it. */
interface AnsweredStep extends Pick<LiveStep, 'isResend' | 'mayHaveArrived' | 'references'> {
  plan: Pick<LiveStep['plan'], 'effect' | 'credential'> & { target: { settings: JudgingSettings } }
}

/** Classifies an answer and selects what is stored of it. Changes nothing. */
export function seeAnswer(
  { step }: { step: AnsweredStep },
  exchanged: Exchanged,
  at: Date,
): SeenAnswer {
  const { answer, shown } = exchanged
  const { wait_path } = step.plan.target.settings
  const classified = classify(step, exchanged)
  return {
    classified,
    message: classified.documents
      ? explainDocuments(classified.documents)
      : explainOutcome(classified, shown, {
          signInAway: exchanged.signInAway,
          messagePath: step.plan.target.settings.message_path,
        }),
    notBefore: notBefore(
      exchanged.signInAway ?? answer,
      at,
      mayAskToWait.has(classified.outcome) ? wait_path : '',
    ),
    kept: {
      error_code: classified.errorCode ?? null,
      status: answer.status ?? null,
      duration_ms: Math.round(answer.durationMs),
      detail: shown.ok ? null : shown.detail,
      ...(shown.ok ? keptAnswer(shown) : {}),
    },
    // Later steps take from the received answer, not from the shown one.
    received: answer.ok ? keptText(answer.body) : undefined,
    tree: answer.ok ? () => readBody(answer.body) : undefined,
  }
}

/** Of a request with several documents each has its own verdict. */
function classify(
  { plan, isResend, mayHaveArrived, references = [] }: AnsweredStep,
  { answer, signInAway }: Pick<Exchanged, 'answer' | 'signInAway'>,
) {
  const { effect, credential, target } = plan
  const rules = target.settings
  const isSignInAway = signInAway !== undefined
  const how = { effect, isResend, mayHaveArrived, rules, credential, isSignInAway }
  const classified: ReturnType<typeof judgeDocuments> = classifyAnswer(answer, how)
  const settings = rules.documents
  if (!settings || references.length === 0 || !answer.ok) return classified
  const body = readBody(answer.body)
  return judgeDocuments({
    classified,
    body,
    settings,
    references,
    effect,
    isResend,
    mayHaveArrived,
  })
}

/**
 * Stores the outcome of an attempt and the new states of its step and document. Where the step was
 * the last one or did not succeed, it also ends the run. Call it in a transaction that has locked
 * the run. In memory the step has its new state at once.
 */
export async function finishStep(
  stores: Stores,
  live: LiveRun,
  { id, step }: OpenAttempt,
  seen: SeenAnswer,
  now: string,
): Promise<void> {
  const { plan } = step
  const { classified, message, received } = seen
  const { outcome, state } = classified
  // An earlier server, or an earlier body, may have claimed a document for the step.
  const hasDocument = live.epoch > 1 || step.references?.length !== 0
  step.state = state
  step.answerText = state === 'succeeded' ? received : undefined
  step.answerStatus = state === 'succeeded' ? (seen.kept.status ?? undefined) : undefined
  const [isOpen, isMoved] = await allOf([
    stores.runs.finishAttempt(id, outcome, { finished_at: now, ...seen.kept }),
    stores.runs.moveStep(step.id, 'sending', { state, message, not_before: seen.notBefore }),
    hasDocument &&
      settleDocument(stores, {
        runId: live.id,
        position: plan.position,
        state,
        outcome,
        settings: plan.target.settings,
        answer: seen.tree,
        location: locationOf(seen.kept.answer_headers),
        verdicts: classified.documents,
        now,
      }),
  ])
  if (!isOpen || !isMoved) throw new LeaseLost(live.id)
  if (state === 'pending')
    await beginPoll(stores, pollOf(live, step, classified.askBy, new Date(now)))
  const isLast = live.steps.every((each) => isDone(each.state))
  if (state === 'succeeded' && !isLast) return
  // A step that has succeeded has settled its document.
  if (live.steps.some((each) => each.state !== 'succeeded'))
    await releaseDocuments(stores, live.id, now)
  const ended = {
    state: runStateOf(live.steps),
    outcome,
    errorCode: seen.kept.error_code ?? null,
    notBefore: seen.notBefore,
    now,
    message,
  }
  const runState = await leaveLane(stores, live, ended)
  stores.withCommit(
    stores.runs.updateRun(
      live.id,
      {
        state: runState,
        // A lane or the authority ends it.
        finished_at: isUnderWay(runState) ? null : now,
        unknown_since: runState === 'unknown' ? now : null,
        ...noLease,
      },
      versionOf(live),
    ),
  )
}

function pollOf(
  { id: runId, isTest }: LiveRun,
  { id: stepId, plan: { target } }: LiveStep,
  askBy: string | undefined,
  at: Date,
) {
  const { endpointId, settings } = target
  return { runId, stepId, endpointId, isTest, askBy, settings: settings.pending, at }
}

/** Outcomes whose answer may name a moment before which it is not to be sent again. */
const mayAskToWait: ReadonlySet<Outcome> = new Set([
  'throttled',
  'server_error',
  'timeout',
  'pending',
])

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
  return bodyText(body).replaceAll('\0', '\uFFFD')
}

/** The Location of the answer that is kept. */
export const locationOf = (headers: string | null | undefined): string | undefined =>
  headers ? (JSON.parse(headers) as Record<string, string>)['location'] : undefined
