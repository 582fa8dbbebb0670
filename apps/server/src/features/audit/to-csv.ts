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
  'before',
  'after',
] as const

/** RFC 4180. A cell that a spreadsheet would take for a formula gets an apostrophe in front. */
export function toCsv(rows: readonly AuditRow[]): string {
  const lines = rows.map((row) => columns.map((column) => toCell(row[column])).join(','))
  return [columns.join(','), ...lines, ''].join('\r\n')
}

function toCell(value: string | number | null): string {
  const text = String(value ?? '')
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
