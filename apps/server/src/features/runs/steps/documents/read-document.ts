import type { DocumentListSettings, RunSettings } from '@gatehouse/contract'
import { referenceKey } from '@gatehouse/contract/reference-key'
import { textAt } from '@gatehouse/contract/answer-rule'
import type { ExactJson } from '@gatehouse/contract/mapping'
import { listAt } from '../../answers/list-at.ts'
import { bodyFormatOf } from '@gatehouse/contract/request'
import { treeOf } from '../bodies/step-body.ts'

/** The references that a request's body carries. */
export interface CarriedDocument {
  reference: string
  /** The reference of the credited document; null where the body names none. */
  originalReference: string | null
}

export type ReadDocument =
  /** None where the endpoint takes no documents. */
  { ok: true; documents: readonly CarriedDocument[] } | { ok: false; message: string }

const referenceMaxLength = 200

/** The most documents of one request. */
const documentsMax = 1000

type ReadSettings = Pick<
  RunSettings,
  'content_type' | 'reference_path' | 'original_reference_path' | 'documents'
>

/**
 * Finds the documents that a body carries, by the endpoint's reference paths. Not ok where a path is
 * set and does not lead to one plain value: a document without a reference could be sent twice.
 */
export function readDocuments(settings: ReadSettings, bodyText: string | null): ReadDocument {
  const { content_type, documents } = settings
  if (settings.reference_path === '' && !documents) return { ok: true, documents: [] }
  const body = bodyText === null ? undefined : treeOf(bodyFormatOf(content_type), bodyText)
  if (documents) return readList(documents, body)
  const read = readOne(
    settings,
    body,
    `The body has no document reference at ${settings.reference_path}.`,
  )
  return read.ok ? { ok: true, documents: [read.document] } : read
}

function readList(settings: DocumentListSettings, body: ExactJson | undefined): ReadDocument {
  const items = listAt(body, settings.items_path)
  if (items === undefined || items.length === 0)
    return { ok: false, message: `The body has no list of documents at ${settings.items_path}.` }
  if (items.length > documentsMax)
    return { ok: false, message: `A request may carry at most ${documentsMax} documents.` }
  const documents: CarriedDocument[] = []
  const known = new Set<string>()
  for (const [at, item] of items.entries()) {
    const read = readOne(
      settings,
      item,
      `Document ${at + 1} of the list has no document reference at ${settings.reference_path}.`,
    )
    if (!read.ok) return read
    const { reference } = read.document
    const key = referenceKey(reference)
    if (known.has(key))
      return { ok: false, message: `The list holds the document ${reference} twice.` }
    known.add(key)
    documents.push(read.document)
  }
  return { ok: true, documents }
}

/** A text of signs that show nothing is none. */
function shownAt(body: ExactJson | undefined, path: string): string | undefined {
  const text = textAt(body, path)
  if (text === undefined || text.length > referenceMaxLength) return text
  return referenceKey(text) === '' ? undefined : text
}

function readOne(
  settings: Pick<RunSettings, 'reference_path' | 'original_reference_path'>,
  body: ExactJson | undefined,
  withoutReference: string,
): { ok: true; document: CarriedDocument } | { ok: false; message: string } {
  const { reference_path, original_reference_path } = settings
  const reference = shownAt(body, reference_path)
  if (reference === undefined) return { ok: false, message: withoutReference }
  const originalReference = shownAt(body, original_reference_path) ?? null
  if ([reference, originalReference ?? ''].some((each) => each.length > referenceMaxLength)) {
    return {
      ok: false,
      message: `A document reference may not be longer than ${referenceMaxLength} characters.`,
    }
  }
  return { ok: true, document: { reference, originalReference } }
}
