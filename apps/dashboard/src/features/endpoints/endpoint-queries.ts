import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiRecord, CallInput, EndpointRecord, Routes } from '@gatehouse/contract'
import { call } from '../../lib/call.ts'
import { readSubmittedApi } from '../../entities/api/submitted-api.ts'

type ListQuery = CallInput<Routes['GET /api/endpoint']>['query']

/** What the form sends (spec: endpoint-payload). */
export type EndpointInput = CallInput<Routes['POST /api/endpoint']>['body']

/** An API as the Api select offers it. */
export interface ApiChoice {
  value: string
  label: string
}

const all = ['endpoints'] as const

/** A form is loaded anew each time it opens: it holds the version that a save is checked against. */
const formOptions = { gcTime: 0, staleTime: Infinity } as const

const askableFilter = { method_type: 'get', status: 'active' } as const
const askablePagesMax = 10

export const endpointQueries = {
  list: (query: ListQuery) =>
    queryOptions({
      queryKey: [...all, 'list', query],
      queryFn: ({ signal }) => call('GET /api/endpoint', { query, signal }),
      placeholderData: keepPreviousData,
    }),
  /** What a status query may ask: active GET endpoints by name, as many as a choice list shows. */
  askable: () =>
    queryOptions({
      queryKey: [...all, 'askable'],
      queryFn: async ({ signal }) => {
        const found: EndpointRecord[] = []
        for (let page = 1; page <= askablePagesMax; page++) {
          const query = { page, limit: 100, sort: 'description', ...askableFilter } as const
          const [answer] = await call('GET /api/endpoint', { query, signal })
          found.push(...answer.data)
          if (page >= answer.last_page) break
        }
        return found
      },
    }),
  create: () =>
    queryOptions({
      queryKey: [...all, 'create'],
      queryFn: async ({ signal }) => {
        const [apis] = await call('GET /api/endpoint/create', { signal })
        return { apis: apis.map(toApiChoice) }
      },
      ...formOptions,
    }),
  edit: (id: number) =>
    queryOptions({
      queryKey: [...all, 'edit', id],
      queryFn: async ({ signal }) => {
        const [endpoint, apis] = await call('GET /api/endpoint/:id/edit', {
          params: { id },
          signal,
        })
        return { endpoint, apis: apis.map(toApiChoice) }
      },
      ...formOptions,
    }),
}

const toApiChoice = (record: ApiRecord): ApiChoice => ({
  value: String(record.id),
  label: readSubmittedApi(record).name,
})

export function useDeleteEndpoint() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call('DELETE /api/endpoint/:id', { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: all }),
  })
}
