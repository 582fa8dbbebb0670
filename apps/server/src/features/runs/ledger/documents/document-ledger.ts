import type { DocumentKind, DocumentState } from '@gatehouse/contract'
import { allOf } from '../../../../db/all-of.ts'
import { AppError } from '../../../../kernel/app-error.ts'
import type { Stores } from '../../../../stores.ts'
import type { CarriedDocument } from '../../steps/documents/read-document.ts'

type DocumentStore = Stores['documents']
type DocumentStores = Pick<Stores, 'apis' | 'documents' | 'withCommit'>
type Document = Awaited<ReturnType<DocumentStore['getByReference']>>
type Carrier = Awaited<ReturnType<DocumentStore['listCarriers']>>[number]

interface Taking {
  key: Pick<Document, 'register' | 'kind' | 'is_test' | 'reference'>
  runId: number
  change: Parameters<DocumentStore['claim']>[2]
}

interface Claimed {
  documentId: number
  /** The document that this one credits, where it is known. */
  original: Document | undefined
}

export interface DocumentClaim extends CarriedDocument {
  runId: number
  /** Position of the step that carries the document. */
  position: number
  /** The endpoint of a submit: no other step may have sent the document there. */
  endpointId?: number | undefined
  /** The API of that step; absent where it is not known. */
  apiId?: number | undefined
  /** Where it is known once (spec: document-register). */
  register: string
  /** The document was claimed before, in this register; its API may have another one by now. */
  isKept?: boolean
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
export async function claimDocument(
  { apis, documents, withCommit }: DocumentStores,
  claim: DocumentClaim,
): Promise<Claimed> {
  const { runId, position, kind, isTest, reference, originalReference, apiId, now } = claim
  const { register, isKept = false } = claim
  const is_test = isTest ? 1 : 0
  const key = { register, kind, is_test, reference } as const
  const change = { original_reference: originalReference, api_id: apiId ?? null, updated_at: now }
  const originalKey =
    kind === 'credit' && originalReference !== null
      ? ({ register, kind: 'tax', is_test, reference: originalReference } as const)
      : undefined
  // What follows the claim is read under its lock.
  const [original, , document, carriers] = await allOf([
    originalKey && documents.findByReference(originalKey),
    documents.claim(key, runId, change, { isOfApi: !isKept }),
    documents.findByReference(key),
    documents.listCarriers(key),
  ])
  if (original && (original.state === 'not_accepted' || original.state === 'open')) {
    throw new AppError('document.not_accepted', {
      message: `The document ${originalReference} was not accepted, so it can’t be credited.`,
      extra: { document_id: original.id, run_id: original.run_id },
    })
  }
  if (!document) throw registerChanged()
  const refused = (message: string) =>
    new AppError('document.may_be_accepted', {
      message,
      extra: { document_id: document.id, run_id: document.run_id },
    })
  const isTaken =
    document.run_id === runId ||
    (await takeKept(documents, document, carriers, { key, runId, change }))
  if (!isTaken) {
    const isMoved = !isKept && apiId !== undefined && (await hasMoved(apis, apiId, register))
    throw isMoved
      ? registerChanged()
      : refused(refusalOf(reference, document.state, document.run_id))
  }
  const twin = twinAmong(carriers, claim)
  if (twin) {
    throw refused(
      `The document ${reference} goes to the same endpoint by step ${twin.position}: it is sent there once.`,
    )
  }
  withCommit(documents.linkStep({ document_id: document.id, run_id: runId, position }))
  return { documentId: document.id, original }
}

const hasMoved = async (apis: Stores['apis'], apiId: number, register: string) =>
  (await apis.find(apiId))?.document_register !== register

/** Between the look at the API and the claim. */
const registerChanged = () =>
  new AppError('request.invalid', {
    message: 'The document register of the API was changed. Send this again.',
  })

const mayBeReceived: ReadonlySet<DocumentState> = new Set([
  'accepted',
  'unknown',
  'pending',
  'sending',
])

/** Takes a document from the run that this one corrects, where only kept steps carried it. */
async function takeKept(
  documents: DocumentStore,
  { run_id: holder }: Document,
  carriers: readonly Carrier[],
  { key, runId, change }: Taking,
): Promise<boolean> {
  const kept = await documents.listKept(runId)
  if (holder === null || !kept.some((step) => step.run_id === holder)) return false
  const isOurs = carriers
    .filter(({ state }) => mayBeReceived.has(state))
    .every((link) =>
      kept.some((step) => step.run_id === link.run_id && step.position === link.position),
    )
  return isOurs && documents.takeFrom(holder, key, runId, change)
}

/** Another step that has sent the document to the same endpoint, or is about to. */
function twinAmong(
  carriers: readonly Carrier[],
  { runId, position, endpointId }: DocumentClaim,
): Carrier | undefined {
  if (endpointId === undefined) return undefined
  return carriers.find(
    (link) =>
      mayBeReceived.has(link.state) &&
      link.endpoint_id === endpointId &&
      (link.run_id !== runId || link.position !== position),
  )
}

function refusalOf(reference: string, state: DocumentState, runId: number | null): string {
  const run = runId === null ? '' : ` by run ${runId}`
  if (state === 'accepted') return `The document ${reference} was already accepted${run}.`
  if (state === 'pending')
    return `The document ${reference} was sent${run}: the authority has taken it and decides later.`
  if (state === 'sending') return `The document ${reference} is being sent${run}.`
  return `The document ${reference} was sent${run} and may have been accepted: resolve that first.`
}
