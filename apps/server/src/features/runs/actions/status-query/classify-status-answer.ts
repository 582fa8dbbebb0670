import type { StatusQuery } from '@gatehouse/contract'
import { matchesRule, textAt } from '@gatehouse/contract/answer-rule'
import type { HttpAnswer } from '@gatehouse/upstream'
import { readBody } from '../../steps/answers/classify-answer.ts'
import { messagesAt } from '../../answers/messages-at.ts'

/** The authority's answer about a document. `unclear` decides nothing, `pending` nothing yet. */
export type StatusVerdict =
  | { verdict: 'received'; authorityReference: string | undefined }
  | { verdict: 'rejected'; messages: string }
  | { verdict: 'not_received' | 'pending' | 'unclear' }

const verdicts = ['received', 'not_received', 'pending', 'rejected'] as const

/**
 * Reads the answer to a status query. An answer counts only if it arrived whole and exactly one rule
 * matches. Everything else is unclear.
 */
export function classifyStatusAnswer(answer: HttpAnswer, query: StatusQuery): StatusVerdict {
  if (!answer.ok) return { verdict: 'unclear' }
  const seen = { status: answer.status, body: readBody(answer.body) }
  const said = verdicts.map((verdict) => {
    const rule = query[verdict]
    return { verdict, is: rule ? matchesRule(rule, seen) : 'fails' }
  })
  const [one, ...others] = said.filter(({ is }) => is !== 'fails')
  if (one?.is !== 'holds' || others.length > 0) return { verdict: 'unclear' }
  const { verdict } = one
  if (verdict === 'received')
    return { verdict, authorityReference: textAt(seen.body, query.reference_path) }
  return verdict === 'rejected'
    ? { verdict, messages: messagesAt(seen.body, query.message_path) }
    : { verdict }
}
