import { queryOptions } from '@tanstack/react-query'
import type { CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'
import { defineResource, useAction } from '../../lib/calls/define-resource.ts'

type ListQuery = CallInput<Routes['GET /api/audit']>['query']

export const auditEvents = defineResource('audit', (query: ListQuery, signal) =>
  call('GET /api/audit', { query, signal }),
)

/** What a restore of this version would change. Fetched again each time: others change the record too. */
export const restorePreviewOf = (id: number) =>
  queryOptions({
    queryKey: [...auditEvents.all, 'restore', id],
    queryFn: ({ signal }) => call('GET /api/audit/:id/restore', { params: { id }, signal }),
    gcTime: 0,
  })

/** A record of any kind may be different afterwards, so everything is fetched again. */
export const useRestoreVersion = () =>
  useAction([], (id: number) => call('POST /api/audit/:id/restore', { params: { id } }))
