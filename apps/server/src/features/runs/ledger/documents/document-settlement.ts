import type { DocumentState, Outcome, RunSettings, StepState } from '@gatehouse/contract'
import { referenceKey } from '@gatehouse/contract/reference-key'
import { textAt } from '@gatehouse/contract/answer-rule'
import type { ExactJson } from '@gatehouse/contract/mapping'
import { allOf } from '../../../../db/all-of.ts'
import type { Stores } from '../../../../stores.ts'
import type { DocumentVerdicts } from '../../steps/documents/judge-documents.ts'

type DocumentStore = Stores['documents']
type DocumentStores = Pick<Stores, 'documents' | 'withCommit'>
type Link = Awaited<ReturnType<DocumentStore['listLinks']>>[number]

export interface DocumentSettlement {
  runId: number
  position: number
  state: StepState
  /** The outcome of an attempt; null where a person or a status query settles the step. */
  outcome: Outcome | null
  settings: Pick<RunSettings, 'authority_reference_path' | 'qr_path'>
  /** The tree of the answer's body; absent where no answer came. Read where the document is accepted. */
  answer?: (() => ExactJson | undefined) | undefined
  /** Of the answer: the address of what it made. */
  location?: string | undefined
  /** The authority's reference, from a person or a status query. */
  authorityReference?: string | undefined
  /** What was said of each of several documents, by reference. */
  verdicts?: DocumentVerdicts | undefined
  now: string
}

/**
 * Stores the result of a step for the documents that it carries, inside the transaction that finishes
 * the step. Does nothing for a step without a document.
 */
export async function settleDocument(
  stores: DocumentStores,
  settlement: DocumentSettlement,
): Promise<void> {
  const { runId, position } = settlement
  const links = await stores.documents.listLinksBeside(runId, position)
  const isOwn = (link: Link) => link.run_id === runId && link.position === position
  const own = links.filter(isOwn)
  const verdicts = settlement.verdicts && byKey(settlement.verdicts)
  for (const link of own) {
    const beside = links.filter((each) => each.document_id === link.document_id)
    const others = beside.filter((each) => !isOwn(each))
    settleLink(
      stores,
      { ...settlement, verdicts },
      { own: link, others, isOneOfSeveral: own.length > 1 },
    )
  }
}

/** A document shows the reference of its first claim; an answer is about that of the latest. */
const byKey = (verdicts: DocumentVerdicts): DocumentVerdicts =>
  new Map([...verdicts].map(([reference, verdict]) => [referenceKey(reference), verdict]))

interface LinkBeside {
  own: Link & { reference: string }
  /** Of the same document, in other steps and runs. */
  others: readonly Link[]
  isOneOfSeveral: boolean
}

function settleLink(
  { documents, withCommit }: DocumentStores,
  settlement: DocumentSettlement,
  { own, others, isOneOfSeveral }: LinkBeside,
): void {
  const { settings, now, outcome, verdicts } = settlement
  const verdict = verdicts?.get(referenceKey(own.reference))
  // A person and the status query settle what is open; of several documents the others are decided. What was named
  // is meant, also where it counted as not received.
  const isDecided =
    isOneOfSeveral && outcome === null && verdict?.state !== 'unknown' && !openStates.has(own.state)
  const said = verdict?.state ?? (verdicts ? own.state : undefined)
  const state = isDecided ? own.state : settledState(own.state, settlement, said)
  const message = verdict?.message ?? own.message
  if (state !== own.state || message !== own.message)
    withCommit(documents.setLink(own, { state, message }))
  // Of several documents each has its own number: the paths of the whole answer name none of them.
  const isRead = state === 'accepted' && settlement.answer !== undefined && !isOneOfSeveral
  const answer = isRead ? settlement.answer?.() : undefined
  const authority_reference =
    verdict?.authorityReference ??
    ((!isOneOfSeveral && settlement.authorityReference) ||
      (textAt(answer, settings.authority_reference_path) ??
        (isRead ? lastPartOf(settlement.location) : undefined)))
  const qr = verdict?.qr ?? textAt(answer, settings.qr_path)
  withCommit(
    documents.update(own.document_id, {
      ...decidedState(inOrder([...others, { ...own, state }])),
      ...(authority_reference ? { authority_reference } : {}),
      ...(qr ? { qr } : {}),
      updated_at: now,
    }),
  )
}

/** The number in an address such as `/invoice/647`. */
function lastPartOf(location: string | undefined): string | undefined {
  const path = location === undefined ? null : URL.parse(location, 'http://authority')?.pathname
  const part = path?.split('/').findLast((each) => each !== '')
  if (part === undefined || part.length > 200) return undefined
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Not decided: the outcome is unknown, or the authority decides later. */
const openStates: ReadonlySet<DocumentState> = new Set(['unknown', 'pending', 'sending'])

const inOrder = (links: readonly Link[]) =>
  links.toSorted((one, other) => other.run_id - one.run_id || other.position - one.position)

/**
 * Releases the documents that a run has claimed for steps that were not sent. Call it in the
 * transaction that ends the run, after the steps that were sent have been settled.
 */
export async function releaseDocuments(
  { documents, withCommit }: DocumentStores,
  runId: number,
  now: string,
): Promise<void> {
  for (const sending of await documents.listSending(runId)) {
    const { document_id } = sending
    const [, links] = await allOf([
      documents.setLink(sending, { state: 'open' }),
      documents.listLinks(document_id),
    ])
    withCommit(documents.update(document_id, { ...decidedState(links), updated_at: now }))
  }
}

/** The most severe state wins: a later step does not change what one step had accepted. */
function decidedState(links: readonly Link[]) {
  const mostSevere = (['accepted', 'unknown', 'pending', 'sending'] as const)
    .map((state) => links.find((link) => link.state === state))
    .find((link) => link !== undefined)
  const deciding = mostSevere ?? links[0]
  return deciding ? { state: deciding.state, run_id: deciding.run_id } : {}
}

/**
 * An accepted document stays accepted. An unknown one stays unknown after any later attempt, unless
 * the authority has taken or accepted it: else only a person or a status query settles it.
 */
function settledState(
  before: DocumentState,
  { state, outcome }: Pick<DocumentSettlement, 'state' | 'outcome'>,
  said = documentStateOf(state, outcome),
): DocumentState {
  const isAttempt = outcome !== null
  if (before === 'accepted') return before
  const isTaken = said === 'accepted' || said === 'pending'
  return before === 'unknown' && isAttempt && !isTaken ? before : said
}

const stateByStep: Record<StepState, DocumentState> = {
  succeeded: 'accepted',
  rejected: 'not_accepted',
  sending: 'sending',
  unknown: 'unknown',
  blocked: 'open',
  waiting: 'open',
  would_send: 'open',
  skipped: 'open',
  pending: 'pending',
  partial: 'accepted',
}

/** The state of a document, from the step that carries it. */
function documentStateOf(step: StepState, outcome: Outcome | null): DocumentState {
  // A duplicate answer to a first attempt: another sender has sent the document.
  return step === 'blocked' && outcome === 'duplicate' ? 'unknown' : stateByStep[step]
}
