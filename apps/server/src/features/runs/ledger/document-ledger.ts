import type {
  DocumentKind,
  DocumentState,
  Outcome,
  RunSettings,
  StepState,
} from '@gatehouse/contract'
import { textAt } from '@gatehouse/contract/answer-rule'
import { AppError } from '../../../kernel/app-error.ts'
import { readBody } from '../steps/classify-answer.ts'
import type { Stores } from '../../../stores.ts'
import type { CarriedDocument } from '../steps/read-document.ts'

type DocumentStore = Stores['documents']
type DocumentKey = Parameters<DocumentStore['take']>[0]

export interface DocumentClaim extends CarriedDocument {
  runId: number
  /** Position of the step that carries the document. */
  position: number
  /** The endpoint of a submit: no other step may have sent the document there. */
  endpointId?: number | undefined
  kind: DocumentKind
  isTest: boolean
  now: string
}

/**
 * Claims a document for a step of a run, inside the transaction that freezes the step. The same run
 * may claim it again, before a resume, a resend or a later step. The run that corrects it may claim
 * the documents of the steps that it keeps. Throws `document.may_be_accepted` with the id of the
 * holder where another run is sending the document, had it accepted, or has an unknown outcome.
 * Throws `document.not_accepted` where the document to be credited was not accepted.
 */
export async function claimDocument(documents: DocumentStore, claim: DocumentClaim): Promise<void> {
  const { runId, position, kind, isTest, reference, originalReference, now } = claim
  const is_test = isTest ? 1 : 0
  const original =
    kind === 'credit' && originalReference !== null
      ? await documents.findByReference({ kind: 'tax', is_test, reference: originalReference })
      : undefined
  if (original && (original.state === 'not_accepted' || original.state === 'open')) {
    throw new AppError('document.not_accepted', {
      message: `The document ${originalReference} was not accepted, so it can’t be credited.`,
      extra: { document_id: original.id, run_id: original.run_id },
    })
  }
  const key = { kind, is_test, reference } as const
  const before = await documents.findByReference(key)
  if (!before) await documents.ensure(key, now)
  const change = { original_reference: originalReference, updated_at: now }
  const isTaken =
    (await documents.take(key, runId, change)) || (await takeKept(documents, key, runId, change))
  const document = await documents.getByReference(key)
  const refused = (message: string) =>
    new AppError('document.may_be_accepted', {
      message,
      extra: { document_id: document.id, run_id: document.run_id },
    })
  if (!isTaken) throw refused(refusalOf(reference, document.state, document.run_id))
  const twin = before && (await findTwin(documents, document.id, claim))
  if (twin) {
    throw refused(
      `The document ${reference} goes to the same endpoint by step ${twin.position}: it is sent there once.`,
    )
  }
  await documents.linkStep({ document_id: document.id, run_id: runId, position })
}

const mayBeReceived: ReadonlySet<DocumentState> = new Set(['accepted', 'unknown', 'sending'])

/** Takes a document from the run that this one corrects, where only kept steps carried it. */
async function takeKept(
  documents: DocumentStore,
  key: DocumentKey,
  runId: number,
  change: { original_reference: string | null; updated_at: string },
): Promise<boolean> {
  const kept = await documents.listKept(runId)
  const { id, run_id: holder } = await documents.getByReference(key)
  if (holder === null || !kept.some((step) => step.run_id === holder)) return false
  const isOurs = (await documents.listCarriers(id))
    .filter(({ state }) => mayBeReceived.has(state))
    .every((link) =>
      kept.some((step) => step.run_id === link.run_id && step.position === link.position),
    )
  return isOurs && documents.take(key, runId, change, holder)
}

/** Another step that has sent the document to the same endpoint, or is about to. */
async function findTwin(
  documents: DocumentStore,
  documentId: number,
  { runId, position, endpointId }: DocumentClaim,
) {
  if (endpointId === undefined) return undefined
  return (await documents.listCarriers(documentId)).find(
    (link) =>
      mayBeReceived.has(link.state) &&
      link.endpoint_id === endpointId &&
      (link.run_id !== runId || link.position !== position),
  )
}

function refusalOf(reference: string, state: DocumentState, runId: number | null): string {
  const run = runId === null ? '' : ` by run ${runId}`
  if (state === 'accepted') return `The document ${reference} was already accepted${run}.`
  if (state === 'sending') return `The document ${reference} is being sent${run}.`
  return `The document ${reference} was sent${run} and may have been accepted: resolve that first.`
}

export interface DocumentSettlement {
  runId: number
  position: number
  state: StepState
  /** The outcome of an attempt; null where a person or a status query settles the step. */
  outcome: Outcome | null
  settings: Pick<RunSettings, 'authority_reference_path' | 'qr_path'>
  /** The answer's body as text, where there is one. */
  answerBody?: string | undefined
  /** The authority's reference, from a person or a status query. */
  authorityReference?: string | undefined
  now: string
}

/**
 * Stores the result of a step for the document that it carries, inside the transaction that
 * finishes the step. Does nothing for a step without a document.
 */
export async function settleDocument(
  documents: DocumentStore,
  settlement: DocumentSettlement,
): Promise<void> {
  const { runId, position, settings, answerBody, now } = settlement
  const link = await documents.findLink(runId, position)
  if (!link) return
  const state = settledState(link.state, settlement)
  await documents.setLinkState(runId, position, state)
  const answer = state === 'accepted' && answerBody !== undefined ? readBody(answerBody) : undefined
  const authority_reference =
    settlement.authorityReference || textAt(answer, settings.authority_reference_path)
  const qr = textAt(answer, settings.qr_path)
  await documents.update(link.document_id, {
    ...(await decidedState(documents, link.document_id)),
    ...(authority_reference ? { authority_reference } : {}),
    ...(qr ? { qr } : {}),
    updated_at: now,
  })
}

/**
 * Releases the documents that a run has claimed for steps that were not sent. Call it in the
 * transaction that ends the run, after the steps that were sent have been settled.
 */
export async function releaseDocuments(
  documents: DocumentStore,
  runId: number,
  now: string,
): Promise<void> {
  for (const { document_id, position } of await documents.listSending(runId)) {
    await documents.setLinkState(runId, position, 'open')
    const decided = await decidedState(documents, document_id)
    await documents.update(document_id, { ...decided, updated_at: now })
  }
}

/** The most severe state wins: a later step does not change what one step had accepted. */
async function decidedState(documents: DocumentStore, documentId: number) {
  const links = await documents.listLinks(documentId)
  const mostSevere = (['accepted', 'unknown', 'sending'] as const)
    .map((state) => links.find((link) => link.state === state))
    .find((link) => link !== undefined)
  const deciding = mostSevere ?? links[0]
  return deciding ? { state: deciding.state, run_id: deciding.run_id } : {}
}

/**
 * An accepted document stays accepted. An unknown one stays unknown after any later attempt: only
 * an acceptance, a person or a status query settles it.
 */
function settledState(
  before: DocumentState,
  { state, outcome }: Pick<DocumentSettlement, 'state' | 'outcome'>,
): DocumentState {
  const said = documentStateOf(state, outcome)
  const isAttempt = outcome !== null
  if (before === 'accepted') return before
  return before === 'unknown' && isAttempt && said !== 'accepted' ? before : said
}

const stateByStep: Record<StepState, DocumentState> = {
  succeeded: 'accepted',
  rejected: 'not_accepted',
  sending: 'sending',
  unknown: 'unknown',
  blocked: 'open',
  waiting: 'open',
  would_send: 'open',
}

/** The state of a document, from the step that carries it. */
function documentStateOf(step: StepState, outcome: Outcome | null): DocumentState {
  // A duplicate answer to a first attempt: another sender has sent the document.
  return step === 'blocked' && outcome === 'duplicate' ? 'unknown' : stateByStep[step]
}
