import type { ReconciliationResult } from '@gatehouse/contract'
import { readRow } from '../../db/tables/column.ts'
import { resultShown } from '../../db/tables/reconciliations.ts'
import { definitionOf } from './reconciliation-parts.ts'
import type { ReconciliationRow, ResultRow } from './reconciliation-store.ts'

/** A comparison as its form shows it. It holds no secret. */
export const shownReconciliation = (row: ReconciliationRow) => ({
  id: row.id,
  version: row.version,
  name: row.name,
  ...definitionOf(row.definition),
  cron: row.cron,
  time_zone: row.time_zone,
  user: { id: row.user_id, name: row.user_name },
  next_run_at: row.next_run_at,
})

const noCounts = { erp: 0, ledger: 0, authority: null, agreeing: 0, differing: 0 }

export function shownResult(row: ResultRow): ReconciliationResult {
  const { counts, differences, ...shown } = readRow(resultShown, row)
  return { ...shown, counts: counts ?? noCounts, differences: differences ?? {} }
}
