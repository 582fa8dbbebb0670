import type {
  DifferenceKind,
  DocumentState,
  ReconciliationResult,
  ReconciliationState,
} from '@gatehouse/contract'
import {
  column,
  flag,
  generatedNumber,
  jsonOrNull,
  number,
  numberOrNull,
  text,
  textOrNull,
} from './column.ts'

export const reconciliation = {
  id: generatedNumber,
  name: text,
  /** JSON: what is compared. */
  definition: text,
  /** Blank: by hand alone. */
  cron: text,
  time_zone: text,
  next_run_at: textOrNull,
  /** On whose behalf it runs: the user who saved it last. */
  user_id: number,
  user_name: text,
  version: generatedNumber,
  updated_at: text,
}

/** What is shown of a comparison. */
export const resultShown = {
  id: generatedNumber,
  from_day: text,
  to_day: text,
  state: column<ReconciliationState>(),
  is_by_hand: flag,
  created_at: text,
  ended_at: textOrNull,
  message: textOrNull,
  /** How many there are, and how many of each difference. */
  counts: jsonOrNull<ReconciliationResult['counts']>(),
  differences: jsonOrNull<ReconciliationResult['differences']>(),
}

export const reconciliationResult = {
  ...resultShown,
  reconciliation_id: number,
  planned_for: text,
}

export const reconciliationLine = {
  id: generatedNumber,
  result_id: number,
  kind: column<DifferenceKind>(),
  reference: text,
  erp_amount: textOrNull,
  ledger_amount: textOrNull,
  authority_amount: textOrNull,
  state: column<DocumentState | null>(),
  document_id: numberOrNull,
  run_id: numberOrNull,
}
