import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { CallInput, Routes } from '@gatehouse/contract'
import type { ChoiceSource } from '../../entities/endpoint/choice-source.tsx'
import { call } from '../../lib/calls/call.ts'
import { callFile } from '../../lib/calls/call-bodies.ts'
import { defineResource } from '../../lib/calls/define-resource.ts'

type ListQuery = CallInput<Routes['GET /api/reconciliations']>['query']
type ResultQuery = CallInput<Routes['GET /api/reconciliations/:id/results']>['query']
type LineQuery = CallInput<Routes['GET /api/reconciliations/:id/results/:result/lines']>['query']
export type ReconciliationBody = CallInput<Routes['POST /api/reconciliations']>['body']
export interface ResultPlace {
  id: number
  result: number
}

const refetchMs = 3000

const resource = defineResource(
  'reconciliations',
  (query: ListQuery, signal) => call('GET /api/reconciliations', { query, signal }),
  { refetchInterval: () => refetchMs },
)

const fetchOne = async (id: number, signal: AbortSignal) =>
  (await call('GET /api/reconciliations/:id', { params: { id }, signal })).reconciliation

/** Endpoints to choose from: those that the user has access to. */
export const listChoices: ChoiceSource = {
  name: 'reconciliation',
  load: async (query, signal) =>
    (await call('GET /api/workflows/create', { query, signal })).endpoints,
}

export const reconciliationQueries = {
  list: resource.list,
  one: (id: number) =>
    queryOptions({
      queryKey: [...resource.all, 'one', id],
      queryFn: ({ signal }) => fetchOne(id, signal),
      refetchInterval: refetchMs,
    }),
  edit: (id: number) => resource.form(id, (signal) => fetchOne(id, signal)),
  results: (id: number) => (query: ResultQuery) =>
    queryOptions({
      queryKey: [...resource.all, 'results', id, query] as const,
      queryFn: ({ signal }) =>
        call('GET /api/reconciliations/:id/results', { params: { id }, query, signal }),
      placeholderData: keepPreviousData,
      refetchInterval: refetchMs,
    }),
  result: (params: ResultPlace) =>
    queryOptions({
      queryKey: [...resource.all, 'result', params],
      queryFn: ({ signal }) =>
        call('GET /api/reconciliations/:id/results/:result', { params: { ...params }, signal }),
      refetchInterval: ({ state }) =>
        ['queued', 'running'].includes(state.data?.result.state ?? '') ? refetchMs : false,
    }),
  lines: (params: ResultPlace, query: LineQuery) =>
    queryOptions({
      queryKey: [...resource.all, 'lines', params, query] as const,
      queryFn: ({ signal }) =>
        call('GET /api/reconciliations/:id/results/:result/lines', {
          params: { ...params },
          query,
          signal,
        }),
      placeholderData: keepPreviousData,
    }),
}

export const fetchCsv = (params: ResultPlace) =>
  callFile('GET /api/reconciliations/:id/results/:result/csv', 'text/csv; charset=utf-8', {
    params: { ...params },
  })

export const useCreateReconciliation = () =>
  resource.useSave((body: ReconciliationBody) => call('POST /api/reconciliations', { body }))

export const useUpdateReconciliation = (id: number) =>
  resource.useSave((body: ReconciliationBody) =>
    call('PUT /api/reconciliations/:id', { params: { id }, body }),
  )

export const useDeleteReconciliation = () =>
  resource.useAction((id: number) => call('DELETE /api/reconciliations/:id', { params: { id } }))

export const useRunReconciliation = (id: number) =>
  resource.useAction((body: { from_day: string; to_day: string }) =>
    call('POST /api/reconciliations/:id/run', { params: { id }, body }),
  )
