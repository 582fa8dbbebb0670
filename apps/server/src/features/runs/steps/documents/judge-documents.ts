import type { DocumentListSettings, DocumentState, Effect, StepState } from '@gatehouse/contract'
import { referenceKey } from '@gatehouse/contract/reference-key'
import { matchesRule, textAt } from '@gatehouse/contract/answer-rule'
import type { ExactJson } from '@gatehouse/contract/mapping'
import type { Classified } from '../answers/classify-answer.ts'
import { listAt } from '../../answers/list-at.ts'
import { messagesAt } from '../../answers/messages-at.ts'

/** What an answer says of one of several documents. */
export interface DocumentVerdict {
  state: Extract<DocumentState, 'accepted' | 'not_accepted' | 'unknown' | 'pending'>
  authorityReference?: string | undefined
  qr?: string | undefined
  message?: string | undefined
  /** The authority says that it has it, and it was not sent from here before: it is unknown by whom. */
  isDuplicate?: boolean
}
export type DocumentVerdicts = ReadonlyMap<string, DocumentVerdict>

interface Judging {
  classified: Classified
  body: ExactJson | undefined
  settings: DocumentListSettings
  /** Of the documents that were sent. */
  references: readonly string[]
  effect: Effect
  /** The same bytes were sent before: a duplicate is our own document. */
  isResend: boolean
  /** An earlier attempt may have been received: a refusal is about the repetition. */
  mayHaveArrived: boolean
}

/**
 * Decides about each document of a request by the lists of its answer. A document that neither list
 * names, or both, is unknown: nothing is accepted that the answer does not name. Where the authority
 * decides later, one that is not named as rejected is pending.
 */
export function judgeDocuments(judging: Judging): Classified & { documents?: DocumentVerdicts } {
  const { classified, references } = judging
  // Every other answer is about the request as a whole.
  if (classified.outcome !== 'ok' && classified.outcome !== 'pending') return asWhole(judging)
  const documents = new Map(references.map((each) => [each, verdictOf(each, judging)]))
  const verdicts = [...documents.values()]
  const state = stateOfDocuments(verdicts.map((each) => each.state))
  if (state === 'unknown' && verdicts.every((each) => each.state !== 'unknown' || each.isDuplicate))
    return { ...classified, ...outcomes.duplicate, state: 'blocked', documents }
  // To ask again does no harm where nothing is submitted.
  const safe = state === 'unknown' && judging.effect !== 'submit' ? 'waiting' : state
  return { ...classified, ...outcomes[state], state: safe, documents }
}

/** "I already have this" does not say which of the documents it has accepted. */
function asWhole({ classified, effect }: Judging): Classified {
  if (classified.outcome !== 'ok_duplicate' || effect !== 'submit') return classified
  return { ...classified, state: 'unknown', errorCode: 'upstream.unreadable' }
}

const outcomes = {
  succeeded: { outcome: 'ok' },
  pending: { outcome: 'pending' },
  partial: { outcome: 'partial', errorCode: 'upstream.status' },
  rejected: { outcome: 'rejected', errorCode: 'upstream.status' },
  duplicate: { outcome: 'duplicate', errorCode: 'upstream.status' },
  unknown: { outcome: 'cut', errorCode: 'upstream.unreadable' },
} as const

/** The state of a step from those of its documents; not empty. */
export function stateOfDocuments(
  states: readonly DocumentState[],
): Extract<StepState, 'succeeded' | 'pending' | 'partial' | 'rejected' | 'unknown'> {
  const has = (state: DocumentState) => states.includes(state)
  if (has('pending')) return 'pending'
  if (has('unknown') || has('sending') || has('open')) return 'unknown'
  if (!has('not_accepted')) return 'succeeded'
  return has('accepted') ? 'partial' : 'rejected'
}

function verdictOf(reference: string, judging: Judging): DocumentVerdict {
  const { classified, settings, effect, isResend, mayHaveArrived } = judging
  const accepted = namedAt(settings.accepted_path, reference, judging)
  const rejected = namedAt(settings.rejected_path, reference, judging)
  const isPending = classified.outcome === 'pending'
  const element = accepted ?? rejected
  const said = {
    authorityReference: textAt(accepted, settings.authority_reference_path),
    message: messagesAt(element, settings.message_path) || undefined,
  }
  if (accepted !== undefined && rejected === undefined)
    return { state: isPending ? 'pending' : 'accepted', ...said }
  if (rejected !== undefined && accepted === undefined && isKnownThere(rejected, settings)) {
    if (!isResend) return { state: 'unknown', isDuplicate: true, ...said }
    // Whether it is valid is asked for elsewhere, where the authority decides later.
    return { state: settings.poll === null ? 'accepted' : 'unknown', ...said }
  }
  if (rejected !== undefined && accepted === undefined) {
    const isOfRepetition = mayHaveArrived && effect === 'submit'
    return { state: isOfRepetition ? 'unknown' : 'not_accepted', ...said }
  }
  return { state: isPending && rejected === undefined ? 'pending' : 'unknown' }
}

/** Whether a rejected element says that the authority has the document already. */
export const isKnownThere = (
  element: ExactJson,
  { duplicate }: Pick<DocumentListSettings, 'duplicate'>,
): boolean =>
  duplicate !== null &&
  duplicate !== undefined &&
  matchesRule(duplicate, { status: 200, body: element }) === 'holds'

/** The element of a list in the answer that names the document. */
function namedAt(path: string, reference: string, { body, settings }: Judging) {
  const list = listAt(body, path) ?? []
  return list.find((each) => names(each, settings.answer_reference_path, reference))
}

/** Whether an element of an answer is about the document. */
export const names = (element: ExactJson, path: string, reference: string): boolean => {
  const text = referenceOf(element, path)
  return (
    text === reference || (text !== undefined && referenceKey(text) === referenceKey(reference))
  )
}

/** The reference of an element; the element itself where it is no object. */
export const referenceOf = (element: ExactJson, path: string): string | undefined =>
  textAt(element, path === '' ? '$' : path)
