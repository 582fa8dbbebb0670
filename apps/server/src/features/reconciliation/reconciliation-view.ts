import type { ReconciliationResult } from '@gatehouse/contract'
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

export const shownResult = (row: ResultRow): ReconciliationResult => ({
  id: row.id,
  from_day: row.from_day,
  to_day: row.to_day,
  state: row.state,
  is_by_hand: row.is_by_hand === 1,
  created_at: row.created_at,
  ended_at: row.ended_at,
  message: row.message,
  counts: row.counts === null ? noCounts : (JSON.parse(row.counts) as typeof noCounts),
  differences:
    row.differences === null
      ? {}
      : (JSON.parse(row.differences) as ReconciliationResult['differences']),
})
