import type { DocumentKind, DocumentState } from '@gatehouse/contract'
import {
  column,
  flag,
  generatedNumber,
  generatedText,
  number,
  numberOrNull,
  text,
  textOrNull,
} from './column.ts'

/** What its record shows. */
export const documentShown = {
  id: generatedNumber,
  /** In which it is known once. It keeps the one that it was claimed in. */
  register: text,
  reference: text,
  kind: column<DocumentKind>(),
  is_test: flag,
  state: column<DocumentState>(),
  authority_reference: textOrNull,
  original_reference: textOrNull,
  run_id: numberOrNull,
  created_at: text,
  updated_at: text,
}

export const document = {
  ...documentShown,
  /** The reference as it is compared. */
  reference_key: text,
  original_key: textOrNull,
  qr: textOrNull,
  /** The API that it is sent to: that of the step which claimed it last. */
  api_id: numberOrNull,
}

export const documentStep = {
  document_id: number,
  run_id: number,
  position: number,
  state: column<DocumentState>(),
  /** What the authority says of it. */
  message: textOrNull,
}

/** How many real documents were created in a quarter of an hour that is over. */
export const documentQuarter = {
  at: text,
  /** 0: the API is not known. */
  api_id: number,
  register: generatedText,
  state: column<DocumentState>(),
  documents: number,
}

/** What changes since a quarter was counted add to its counts, and take from them. */
export const documentChange = {
  id: generatedNumber,
  at: text,
  api_id: number,
  register: text,
  state: column<DocumentState>(),
  /** 1 or -1. */
  documents: number,
}
