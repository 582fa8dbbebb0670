import { bodyText } from '@gatehouse/contract/answer-tree'
import type { StatusQuery } from '@gatehouse/contract'
import type { DocumentVerdicts } from '../../steps/documents/judge-documents.ts'
import type { StatusVerdict } from './classify-status-answer.ts'
import type { Weighed } from './inquiry.ts'
import { explainUndecided, remarks } from './inquiry-words.ts'
import type { Asked } from './status-query.ts'

/** A question, its time and its answer. */
export interface Answered {
  asked: Asked
  askedAt: Date
  said: StatusVerdict
  /** Of a request with a list of documents: those that are decided. */
  documents?: DocumentVerdicts
}

/** The attempt that the ledger stores. */
export function attemptOf({ asked, askedAt, said }: Answered, weighed: Weighed) {
  const { shown: answer, url } = asked
  const remark = weighed.settles ? '' : remarks[weighed.because]
  return {
    url,
    started_at: askedAt.toISOString(),
    verdict: said.verdict,
    status: answer.status ?? null,
    duration_ms: Math.round(answer.durationMs),
    answer_body: answer.ok ? bodyText(answer.body).replaceAll('\0', '\uFFFD') : null,
    answer_bytes: answer.ok ? answer.body.length : null,
    answer_headers: answer.ok ? '{}' : null,
    detail: `The status query says: ${wordsOf[said.verdict]}${remark}${answer.ok ? '' : ` (${answer.detail})`}`,
  }
}

/** The result for the step. */
export const verdictOf = ({ verdict }: StatusVerdict, { settles }: Weighed) =>
  settles && verdict !== 'unclear' && verdict !== 'pending' ? verdict : 'undecided'

/** The answer to the person who asked. */
export function toAnswer(said: StatusVerdict, weighed: Weighed, { quiet_seconds }: StatusQuery) {
  const verdict = verdictOf(said, weighed)
  if (weighed.settles) {
    const message = `The endpoint was asked: ${wordsOf[said.verdict]}`
    return { message, verdict, because: null, ask_again_after: null } as const
  }
  const { because, askAgainAfter } = weighed
  return {
    message: explainUndecided({ because, askAgainAfter, quietSeconds: quiet_seconds }),
    verdict,
    because,
    ask_again_after: askAgainAfter?.toISOString() ?? null,
  } as const
}

const wordsOf = {
  received: 'it was received.',
  not_received: 'it was not received.',
  rejected: 'it was rejected.',
  pending: 'it is not decided yet.',
  unclear: 'its answer decides nothing.',
} as const
