import type { DifferenceKind, DocumentState, ReconciliationState } from '@gatehouse/contract'
import { column, flag, generatedNumber, number, numberOrNull, text, textOrNull } from './column.ts'

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

export const reconciliationResult = {
  id: generatedNumber,
  reconciliation_id: number,
  planned_for: text,
  from_day: text,
  to_day: text,
  state: column<ReconciliationState>(),
  is_by_hand: flag,
  created_at: text,
  ended_at: textOrNull,
  message: textOrNull,
  /** JSON: how many there are, and how many of each difference. */
  counts: textOrNull,
  differences: textOrNull,
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
