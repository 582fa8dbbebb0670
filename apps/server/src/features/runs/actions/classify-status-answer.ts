import type { StatusQuery } from '@gatehouse/contract'
import { matchesRule, textAt } from '@gatehouse/contract/answer-rule'
import type { HttpAnswer } from '@gatehouse/upstream'
import { readBody } from '../steps/classify-answer.ts'

/** The authority's answer about a document. `unclear` leaves the step unknown. */
export type StatusVerdict =
  | { verdict: 'received'; authorityReference: string | undefined }
  | { verdict: 'not_received' | 'unclear' }

/**
 * Reads the answer to a status query. An answer counts only if it arrived whole, one rule matches
 * and the other does not. Everything else is unclear.
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
