import { csvLine } from '../../kernel/text/csv.ts'
import type { AuditRow } from './audit-store.ts'

const columns = [
  'id',
  'at',
  'actor',
  'actor_id',
  'address',
  'request_id',
  'action',
  'outcome',
  'thing',
  'thing_id',
  'thing_name',
  'times',
  'before',
  'after',
] as const

export function toCsv(rows: readonly AuditRow[]): string {
  return rows.map((row) => csvLine(columns.map((column) => row[column]))).join('')
}

export const csvHead = csvLine(columns)
