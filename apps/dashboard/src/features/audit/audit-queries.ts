import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AuditExport, CallInput, Routes } from '@gatehouse/contract'
import { call, callText } from '../../lib/call.ts'

type ListQuery = CallInput<Routes['GET /api/audit']>['query']
type ExportQuery = CallInput<Routes['GET /api/audit/export']>['query']

const all = ['audit'] as const

export const auditQueries = {
  list: (query: ListQuery) =>
    queryOptions({
      queryKey: [...all, 'list', query],
      queryFn: ({ signal }) => call('GET /api/audit', { query, signal }),
      placeholderData: keepPreviousData,
    }),
}

export async function fetchExport(query: ExportQuery): Promise<AuditExport> {
  return JSON.parse(await callText('GET /api/audit/export', { query })) as AuditExport
}

/** Anything may look different afterwards: all that is kept is fetched anew. */
export function useRestoreVersion() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call('POST /api/audit/:id/restore', { params: { id } }),
    onSettled: () => client.invalidateQueries(),
  })
}
