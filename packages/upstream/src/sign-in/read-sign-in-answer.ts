import { answerTree } from '@gatehouse/contract/answer-tree'
import type { ExactJson } from '@gatehouse/contract/mapping'
import type { HttpAnswer, HttpAnswered, UpstreamFailureCode } from '../http/http-answer.ts'
import { failedSignIn } from './sign-in-outcome.ts'
import type { SignInOutcome } from './sign-in-outcome.ts'

/** An answer of a sign-in is small; more than this is not one. */
export const maxSignInAnswerBytes = 1_048_576

type Failed = Extract<SignInOutcome, { ok: false }>
type ReadAnswer = { ok: true; status: number; body: ExactJson } | Failed

const failures: Record<UpstreamFailureCode, string> = {
  blocked_address: 'This address is one that Gatehouse never calls.',
  dns: 'The host name of this address could not be resolved.',
  refused: 'The connection to this address was refused.',
  connect_timeout: 'This address did not accept the connection in time.',
  tls: 'The secure connection to this address failed, or its certificate could not be verified.',
  sign_in: 'This address asks for a sign-in.',
  timeout: 'This address did not answer in time.',
  cut: 'The connection broke before the answer was complete.',
  too_large: 'The answer is larger than an answer to a sign-in may be (1 MiB).',
  protocol: 'The answer is not HTTP.',
  aborted: 'The sign-in was stopped before it was complete.',
}

const unusable: ReadonlySet<UpstreamFailureCode> = new Set(['too_large', 'protocol'])

/**
 * The tree of an answer with a status of 200 to 299, or the body of a refusal where it can be read.
 * `field` is the one that holds the address.
 */
export function readSignInAnswer(answer: HttpAnswer, field: string): ReadAnswer {
  if (!answer.ok) {
    const kind = unusable.has(answer.code) ? 'unusable' : 'unavailable'
    return failedSignIn(kind, field, failures[answer.code], {
      isAnswerLost: answer.isSent,
      detail: answer.detail,
    })
  }
  const { status } = answer
  if (status >= 300 && status < 400) {
    const message = 'The address answers with a redirect. Redirects are not followed.'
    return failedSignIn('unusable', field, message)
  }
  if (status === 429 || status >= 500) return comeBackLater(answer, field)
  const isRefusal = status >= 400
  const body = answerTree(answer.body.toString('utf8'))
  if (body === undefined && !isRefusal) {
    const what = isHtml(answer) ? 'a web page' : 'neither JSON nor XML'
    return failedSignIn('unusable', field, `The answer to the sign-in is ${what}.`)
  }
  return { ok: true, status, body: body ?? null }
}

function comeBackLater({ status, headers }: HttpAnswered, field: string): Failed {
  const seconds = Number(/^\d{1,9}$/.exec(headers['retry-after'] ?? '')?.[0] ?? NaN)
  const message =
    status === 429
      ? 'The authority asks for fewer sign-ins (status 429).'
      : `The sign-in was answered with status ${status}.`
  const later = Number.isNaN(seconds) ? {} : { retryAfterSeconds: Math.min(seconds, 3_600) }
  return failedSignIn('unavailable', field, message, later)
}

/** What only other credentials mend: the client or what it was given is not, or no longer, accepted. */
const refusingErrors: ReadonlySet<string> = new Set(['invalid_client', 'invalid_grant'])

/**
 * Whether an answer without a token says no (spec: ill-sign-in). Authorities answer 400 for much else too,
 * such as too many sign-ins or a fault of their own.
 */
export const isSignInRefusal = (status: number, error: string | undefined) =>
  status === 401 || status === 403 || (error !== undefined && refusingErrors.has(error))

const isHtml = ({ headers, body }: HttpAnswered) =>
  /\bhtml\b/i.test(headers['content-type'] ?? '') ||
  /^\s*<(?:!doctype html|html)/i.test(body.subarray(0, 256).toString('latin1'))
