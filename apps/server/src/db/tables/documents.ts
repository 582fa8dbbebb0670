import type { DocumentKind, DocumentState } from '@gatehouse/contract'
import { column, flag, generatedNumber, number, numberOrNull, text, textOrNull } from './column.ts'

export const document = {
  id: generatedNumber,
  kind: column<DocumentKind>(),
  is_test: flag,
  reference: text,
  state: column<DocumentState>(),
  run_id: numberOrNull,
  original_reference: textOrNull,
  authority_reference: textOrNull,
  qr: textOrNull,
  created_at: text,
  updated_at: text,
}

export const documentStep = {
  document_id: number,
  run_id: number,
  position: number,
  state: column<DocumentState>(),
  /** What the authority says of it. */
  message: textOrNull,
}
