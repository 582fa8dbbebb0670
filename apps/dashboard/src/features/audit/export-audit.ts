import type { AuditExport, CallInput, Routes } from '@gatehouse/contract'
import { callText } from '../../lib/calls/call-bodies.ts'
import { notifyInfo } from '../../lib/page/notify.tsx'
import { saveCsv } from '../../lib/browser/save-file.ts'

export type ExportQuery = CallInput<Routes['GET /api/audit/export']>['query']

/** Downloads what a filter lets through, and says where that is not all. */
export async function exportAudit(query: ExportQuery): Promise<void> {
  const text = await callText('GET /api/audit/export', { query })
  const { filename, csv, is_complete } = JSON.parse(text) as AuditExport
  saveCsv(filename, csv)
  if (!is_complete)
    notifyInfo('The export is not complete.', 'It holds the newest 50,000 events. Narrow it down.')
}
