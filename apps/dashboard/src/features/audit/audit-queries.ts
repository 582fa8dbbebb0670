import { queryOptions } from '@tanstack/react-query'
import type { AuditEvent, AuditExport, CallInput, Routes } from '@gatehouse/contract'
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

/** The newest event of a record that left a version behind: that version is in force. */
export const newestVersionOf = ({ thing, thing_id }: AuditEvent) =>
  queryOptions({
    queryKey: [...auditEvents.all, 'newest version', thing, thing_id],
    queryFn: async ({ signal }) => {
      const query = { thing, thing_id: thing_id ?? 0, outcome: 'done', page: 1, limit: 10 } as const
      const [{ data }] = await call('GET /api/audit', { query, signal })
      return data.find(({ can_restore }) => can_restore) ?? null
    },
  })

/** A record of any kind may be different afterwards, so everything is fetched again. */
export const useRestoreVersion = () =>
  useAction([], (id: number) => call('POST /api/audit/:id/restore', { params: { id } }))
