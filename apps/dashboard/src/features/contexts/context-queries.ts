import type { CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'
import { defineResource } from '../../lib/calls/define-resource.ts'

type ListQuery = CallInput<Routes['GET /api/context']>['query']

export const contexts = defineResource('contexts', (query: ListQuery, signal) =>
  call('GET /api/context', { query, signal }),
)

export const useUpdateContext = (id: number) =>
  contexts.useAction((context: string) =>
    call('PUT /api/context/:id', { params: { id }, body: { context } }),
  )
