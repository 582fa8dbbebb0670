import { bodyFormatOf, type RunSettings } from '@gatehouse/contract'
import { textAt } from '@gatehouse/contract/answer-rule'
import { treeOf } from './step-body.ts'

/** The references that a request's body carries. */
export interface CarriedDocument {
  reference: string
  /** The reference of the credited document; null where the body names none. */
  originalReference: string | null
}

export type ReadDocument =
  /** Undefined where the endpoint takes no documents. */
  { ok: true; document: CarriedDocument | undefined } | { ok: false; message: string }

const referenceMaxLength = 200

/**
 * Finds the document that a body carries, by the endpoint's reference paths. Not ok where a path is
 * set and does not lead to one plain value: a document without a reference could be sent twice.
 */
export function readDocument(
  settings: Pick<RunSettings, 'content_type' | 'reference_path' | 'original_reference_path'>,
  bodyText: string | null,
): ReadDocument {
  const { content_type, reference_path, original_reference_path } = settings
  if (reference_path === '') return { ok: true, document: undefined }
  const body = bodyText === null ? undefined : treeOf(bodyFormatOf(content_type), bodyText)
  const reference = textAt(body, reference_path)
  if (reference === undefined) {
    return { ok: false, message: `The body has no document reference at ${reference_path}.` }
  }
  const originalReference = textAt(body, original_reference_path) ?? null
  if ([reference, originalReference ?? ''].some((each) => each.length > referenceMaxLength)) {
    return {
      ok: false,
      message: `A document reference may not be longer than ${referenceMaxLength} characters.`,
    }
  }
  return { ok: true, document: { reference, originalReference } }
}
