import type { Outcome } from '@gatehouse/contract'
import type { HttpAnswer } from '@gatehouse/upstream'
import type { Classified } from './classify-answer.ts'

/** The longest wait that an authority can ask for. */
const waitMaxMs = 24 * 3_600_000

/** The outcome of an attempt as a sentence for the page of the run; null upon success. */
export function explainOutcome(classified: Classified, answer: HttpAnswer): string | null {
  const { outcome, state } = classified
  const said = answer.status === undefined ? 'no answer came' : `it answered ${answer.status}`
  const why = answer.ok ? said : answer.detail || said
  if (state === 'succeeded')
    return outcome === 'ok_duplicate' ? 'It had been received before: the answer says so.' : null
  if (state === 'unknown') return explainUnknown(outcome, said, why)
  const words: Partial<Record<Outcome, string>> = {
    duplicate: `The endpoint says that it has this already (${said}). It was not sent from here before: say what became of it.`,
    auth: `The endpoint did not accept the credentials (${said}). Resume with others.`,
    throttled: `The endpoint asks to wait (${said}).`,
    not_sent: `Not sent: ${why}.`,
    rejected: `The endpoint rejected it (${said}).`,
  }
  return words[outcome] ?? `Not confirmed: ${why}. Sending it again does no harm.`
}

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

/** When it may be sent again, by Retry-After (RFC 9110 §10.2.3), at most a day from now. */
export function notBefore(answer: HttpAnswer, now: Date): string | null {
  if (!answer.ok || (answer.status !== 429 && answer.status !== 503)) return null
  const value = answer.headers['retry-after']?.trim()
  if (!value) return null
  const at = /^\d{1,9}$/.test(value) ? now.getTime() + Number(value) * 1000 : Date.parse(value)
  if (!Number.isFinite(at) || at <= now.getTime()) return null
  return new Date(Math.min(at, now.getTime() + waitMaxMs)).toISOString()
}
