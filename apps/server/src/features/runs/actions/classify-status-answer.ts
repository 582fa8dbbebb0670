import type { StatusQuery } from '@gatehouse/contract'
import { matchesRule, textAt } from '@gatehouse/contract/answer-rule'
import type { HttpAnswer } from '@gatehouse/upstream'
import { readBody } from '../steps/classify-answer.ts'

/** What the authority says of a document when it is asked. `unclear` leaves the step unknown. */
export type StatusVerdict =
  | { verdict: 'received'; authorityReference: string | undefined }
  | { verdict: 'not_received' | 'unclear' }

/**
 * Reads the answer to a status query. Only an answer that arrived whole and that one rule fits and
 * the other does not is taken for a word; everything else is unclear, however it failed.
 */
export function classifyStatusAnswer(answer: HttpAnswer, query: StatusQuery): StatusVerdict {
  if (!answer.ok) return { verdict: 'unclear' }
  const seen = { status: answer.status, body: readBody(answer.body) }
  const isReceived = matchesRule(query.received, seen)
  const isNotReceived = matchesRule(query.not_received, seen)
  if (isReceived === 'holds' && isNotReceived === 'fails') {
    return { verdict: 'received', authorityReference: textAt(seen.body, query.reference_path) }
  }
  if (isReceived === 'fails' && isNotReceived === 'holds') return { verdict: 'not_received' }
  return { verdict: 'unclear' }
}
