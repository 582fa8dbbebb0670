import type { AuditExport, CallInput, Routes } from '@gatehouse/contract'
import { call, callText } from '../../lib/call.ts'
import { defineResource, useAction } from '../../lib/define-resource.ts'

type ListQuery = CallInput<Routes['GET /api/audit']>['query']
type ExportQuery = CallInput<Routes['GET /api/audit/export']>['query']

export const auditEvents = defineResource('audit', (query: ListQuery, signal) =>
  call('GET /api/audit', { query, signal }),
)

export async function fetchExport(query: ExportQuery): Promise<AuditExport> {
  return JSON.parse(await callText('GET /api/audit/export', { query })) as AuditExport
}

/** A record of any kind may be different afterwards, so everything is fetched again. */
export const useRestoreVersion = () =>
  useAction([], (id: number) => call('POST /api/audit/:id/restore', { params: { id } }))
