import type { Outcome } from '@gatehouse/contract'
import type { HttpAnswer, HttpFailed } from '@gatehouse/upstream'
import { textAt } from '@gatehouse/contract/answer-rule'
import type { Classified } from './classify-answer.ts'
import { messagesAt } from '../../answers/messages-at.ts'
import { readBody } from '../../answers/read-body.ts'

/** The longest wait that an authority can ask for. */
const waitMaxMs = 24 * 3_600_000

/** The outcome of an attempt as a sentence for the page of the run; null upon success. */
export function explainOutcome(
  classified: Classified,
  answer: HttpAnswer,
  { signInAway, messagePath = '' }: More = {},
): string | null {
  const text = explain(classified, answer, signInAway)
  const words = answer.ok ? messagesAt(readBody(answer.body), messagePath) : ''
  if (words === '') return text
  return text === null ? `It says: ${words}` : `${withoutStop(text)}: ${words}`
}

interface More {
  signInAway?: HttpFailed | undefined
  /** Where the authority's words are: reasons of a refusal, warnings of a success. */
  messagePath?: string
}

function explain(
  classified: Classified,
  answer: HttpAnswer,
  signInAway: HttpFailed | undefined,
): string | null {
  const { outcome, state } = classified
  const said = answer.status === undefined ? 'no answer came' : `it answered ${answer.status}`
  const why = answer.ok ? said : answer.detail || said
  if (state === 'succeeded')
    return outcome === 'ok_duplicate' ? 'It had been received before: the answer says so.' : null
  if (state === 'pending') return 'The authority has taken it and decides later.'
  if (state === 'unknown') return explainUnknown(outcome, said, why)
  if (state === 'blocked' && outcome === 'not_sent')
    return `Sign-in refused, so nothing was sent: ${withoutStop(why)}. Resume with other credentials.`
  if (state === 'waiting' && outcome === 'auth')
    return `The endpoint did not accept the token (${said}), and there is no other yet: ${withoutStop(signInAway?.detail ?? why)}. It is sent when there is one.`
  const words: Partial<Record<Outcome, string>> = {
    duplicate: `The endpoint says that it has this already (${said}). It was not sent from here before: say what became of it.`,
    auth: `Sign-in refused: the endpoint did not accept the credentials (${said}). Resume with others.`,
    throttled: `The endpoint asks to wait (${said}).`,
    not_sent: `Not sent: ${withoutStop(why)}.`,
    rejected: `The endpoint rejected it (${said}).`,
  }
  return words[outcome] ?? `Not confirmed: ${why}. Sending it again does no harm.`
}

/** Some reasons are sentences already. */
const withoutStop = (text: string) => text.replace(/\.$/, '')

const uncertainOutcomes: ReadonlySet<Outcome> = new Set(['cut', 'timeout', 'server_error', 'crash'])

/** A refusal of an unknown step is about the repetition. The text says so. */
function explainUnknown(outcome: Outcome, said: string, why: string): string {
  if (uncertainOutcomes.has(outcome)) return `Sent, but the outcome is unknown: ${why}.`
  const what =
    outcome === 'not_sent'
      ? `It was not sent again (${why})`
      : `Refused when it was sent again (${said})`
  return `${what}. That does not say what became of an earlier attempt, which may have been received.`
}

/**
 * When it may be sent again: by the pause of a sign-in that failed, or by Retry-After (RFC 9110 §10.2.3) or a value of the answer, the later of the
 * two, at most a day from now.
 */
export function notBefore(answer: HttpAnswer, now: Date, waitPath = ''): string | null {
  if (!answer.ok) {
    const { retryAfterSeconds, isSignInRefused } = answer
    // Other credentials may be there at any time.
    if (retryAfterSeconds === undefined || isSignInRefused) return null
    return new Date(now.getTime() + retryAfterSeconds * 1_000).toISOString()
  }
  const header = [429, 503].includes(answer.status) ? answer.headers['retry-after'] : undefined
  const named = waitPath === '' ? undefined : textAt(readBody(answer.body), waitPath)
  const moments = [header, named]
    .map((text) => momentOf(text, now))
    .filter((at) => at > now.getTime())
  if (moments.length === 0) return null
  return new Date(Math.min(Math.max(...moments), now.getTime() + waitMaxMs)).toISOString()
}

/** Seconds from now, seconds or milliseconds since 1970, or a date; NaN where it is none of these. */
function momentOf(text: string | undefined, now: Date): number {
  const value = text?.trim() ?? ''
  if (!/^\d{1,13}(\.\d+)?$/.test(value)) return Date.parse(value)
  const number = Number(value)
  if (number < 1e9) return now.getTime() + number * 1000
  return number < 1e12 ? number * 1000 : number
}
