import { bodyText } from '@gatehouse/contract/answer-tree'
import { errorTable, type ErrorCode, type RunSummary } from '@gatehouse/contract'
import type { ExactJson } from '@gatehouse/contract/mapping'
import { AppError } from '../../kernel/app-error.ts'
import { isTooCostly } from '../../kernel/threads/thread-ended.ts'
import type { StoredRun } from '../runs/ledger/open-run.ts'
import { jsonIn } from '../runs/steps/bodies/body-threads.ts'
import type { LastExchange } from '../runs/engine/run-engine.ts'

const answerShownCharacters = 65_536

/** The outcome of a build request, sent now or replayed from an earlier run. */
export interface BuildOutcome {
  run: RunSummary
  /** Undefined where it succeeded. */
  errorCode: ErrorCode | undefined
  status: number | undefined
  /** The answer's body; undefined without an answer. */
  text: string | undefined
  detail: string | undefined
  cause?: unknown
}

export function outcomeOf({ answer, classified }: LastExchange, run: RunSummary): BuildOutcome {
  return {
    run,
    errorCode: classified.state === 'succeeded' ? undefined : classified.errorCode,
    status: answer.status,
    text: answer.ok ? bodyText(answer.body) : undefined,
    ...(answer.ok ? { detail: undefined } : { detail: answer.detail, cause: answer.cause }),
  }
}

/** The outcome that the ledger has stored for a run of one step. */
export function storedOutcome({ steps, attemptsOf }: StoredRun, run: RunSummary): BuildOutcome {
  const attempt = steps[0] && attemptsOf(steps[0]).findLast(({ outcome }) => outcome !== null)
  return {
    run,
    errorCode: (attempt?.error_code ?? undefined) as ErrorCode | undefined,
    status: attempt?.status ?? undefined,
    text: attempt?.answer_body ?? undefined,
    detail: attempt?.detail ?? steps[0]?.message ?? undefined,
  }
}

export function refuseUnlessSucceeded(outcome: BuildOutcome): void {
  const { state } = outcome.run
  if (state === 'succeeded' || state === 'pending') return
  throw refusal(state === 'unknown' ? 'run.unknown' : (outcome.errorCode ?? 'run.failed'), outcome)
}

/** The refusal contains the answer, so that the user sees it at once. */
export function refusal(code: ErrorCode, outcome: BuildOutcome, message?: string): AppError {
  const { status, run, text, detail, cause } = outcome
  const said = status === undefined ? undefined : `The upstream answered ${status}.`
  return new AppError(code, {
    ...(message ? { message } : {}),
    ...(code === 'upstream.status' && said ? { message: said } : {}),
    ...(cause === undefined ? {} : { cause }),
    extra: {
      run,
      detail: text === undefined ? (detail ?? null) : (said ?? null),
      answer: shownText(text),
    },
  })
}

type ReadJson = { ok: true; value: ExactJson } | { ok: false; message: string }

/** The JSON of an answer, to be shown. A thread reads a large one. */
export async function readJson({ text }: BuildOutcome): Promise<ReadJson> {
  if (text === undefined || text === '')
    return { ok: false, message: 'The upstream sent an empty answer.' }
  try {
    const read = await jsonIn(text)
    // The message for JSON that can't be used differs from the one for other texts.
    if (read.ok) return { ok: true, value: read.value as ExactJson }
    const message = read.isSyntax
      ? errorTable['upstream.not_json'].message
      : `The upstream's answer can't be used: ${read.message}`
    return { ok: false, message }
  } catch (error) {
    if (!isTooCostly(error)) throw error
    return { ok: false, message: "The upstream's answer can't be used: it takes too long to read." }
  }
}

export const shownText = (text: string | undefined) =>
  text ? text.slice(0, answerShownCharacters) : null
