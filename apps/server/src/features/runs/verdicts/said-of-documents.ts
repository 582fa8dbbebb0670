import type { DocumentListSettings } from '@gatehouse/contract'
import type { HttpAnswer } from '@gatehouse/upstream'
import { listAt } from '../answers/list-at.ts'
import { readBody } from '../answers/read-body.ts'
import { judgePoll } from '../pending/judge-poll.ts'
import { explainDocuments } from '../steps/documents/explain-documents.ts'
import {
  names,
  type DocumentVerdict,
  type DocumentVerdicts,
} from '../steps/documents/judge-documents.ts'
import type { StatusVerdict } from '../actions/status-query/classify-status-answer.ts'

/** An answer to a question about some documents of a request, and what the rules make of it as a whole. */
interface SaidTogether {
  references: readonly string[]
  answer: HttpAnswer
  said: StatusVerdict
}

interface SaidOfDocuments {
  said: StatusVerdict
  /** Those that are decided. */
  documents: DocumentVerdicts
}

/**
 * What answers say of the documents of a request: nothing is accepted that an answer does not name. Of one that no list
 * names, only the rule of the endpoint says that it was not received. `mayHaveArrivedBefore`: a rejection is about a
 * repetition.
 */
export function saidOfDocuments(
  answers: readonly SaidTogether[],
  lists: DocumentListSettings,
  mayHaveArrivedBefore: boolean,
): SaidOfDocuments {
  const documents = new Map<string, DocumentVerdict>()
  const open: StatusVerdict['verdict'][] = []
  for (const answered of answers) {
    const found = decidedBy(answered, lists, mayHaveArrivedBefore)
    for (const [reference, verdict] of found) documents.set(reference, verdict)
    const left = answered.references.filter((each) => !found.has(each))
    if (left.length > 0) open.push(undecided(answered, left, lists))
  }
  return { said: asWhole(documents, open), documents }
}

function decidedBy(
  { references, answer, said }: SaidTogether,
  { poll, ...lists }: DocumentListSettings,
  mayHaveArrivedBefore: boolean,
): DocumentVerdicts {
  if (poll) return judgePoll(bodyOf(answer), { ...lists, poll }, references, mayHaveArrivedBefore)
  const [reference, ...others] = references
  // The answer is one thing, and does not say which of them it means.
  if (reference === undefined || others.length > 0) return new Map()
  if (said.verdict === 'received')
    return new Map([
      [reference, { state: 'accepted', authorityReference: said.authorityReference } as const],
    ])
  if (said.verdict !== 'rejected') return new Map()
  const state = mayHaveArrivedBefore ? 'unknown' : 'not_accepted'
  return new Map([[reference, { state, message: said.messages || undefined }]])
}

/** Of documents that are not decided. */
function undecided(
  { answer, said }: SaidTogether,
  references: readonly string[],
  { poll }: DocumentListSettings,
): StatusVerdict['verdict'] {
  const list = poll ? listAt(bodyOf(answer), poll.list_path) : undefined
  const named = references.filter((reference) =>
    list?.some((element) => names(element, poll?.reference_path ?? '', reference)),
  )
  if (named.length === references.length && references.length > 0) return 'pending'
  if (named.length > 0) return 'unclear'
  return said.verdict === 'not_received' || said.verdict === 'pending' ? said.verdict : 'unclear'
}

function asWhole(
  documents: DocumentVerdicts,
  open: readonly StatusVerdict['verdict'][],
): StatusVerdict {
  const [first, ...others] = open
  if (first !== undefined) {
    const isSame = others.every((each) => each === first) && documents.size === 0
    const isPending = open.every((each) => each === 'pending')
    const verdict = isPending ? 'pending' : isSame ? first : 'unclear'
    return verdict === 'not_received' || verdict === 'pending'
      ? { verdict }
      : { verdict: 'unclear' }
  }
  const states = [...documents.values()].map(({ state }) => state)
  if (states.length === 0 || states.includes('unknown')) return { verdict: 'unclear' }
  return states.includes('not_accepted')
    ? { verdict: 'rejected', messages: explainDocuments(documents) }
    : { verdict: 'received', authorityReference: undefined }
}

const bodyOf = (answer: HttpAnswer) =>
  answer.ok && answer.status < 300 ? readBody(answer.body) : undefined
