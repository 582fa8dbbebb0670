import type { CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'
import { defineResource, useAction } from '../../lib/calls/define-resource.ts'

type ListQuery = CallInput<Routes['GET /api/audit']>['query']

export const auditEvents = defineResource('audit', (query: ListQuery, signal) =>
  call('GET /api/audit', { query, signal }),
)

/** A record of any kind may be different afterwards, so everything is fetched again. */
export const useRestoreVersion = () =>
  useAction([], (id: number) => call('POST /api/audit/:id/restore', { params: { id } }))
