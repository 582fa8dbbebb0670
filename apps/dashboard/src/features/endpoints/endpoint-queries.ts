import { queryOptions } from '@tanstack/react-query'
import type { ApiRecord, CallInput, EndpointRecord, Routes } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'
import { defineResource } from '../../lib/calls/define-resource.ts'
import { readSubmittedApi } from '../../entities/api/submitted-api.ts'

type ListQuery = CallInput<Routes['GET /api/endpoint']>['query']

/** What the form sends (spec: endpoint-payload). */
export type EndpointInput = CallInput<Routes['POST /api/endpoint']>['body']

/** An API as the Api select offers it. */
export interface ApiChoice {
  value: string
  label: string
  /** Callers need a token at each of its endpoints. */
  demandsToken: boolean
  /** Its prefix on the gateway, without slashes. */
  context: string
}

const endpoints = defineResource('endpoints', (query: ListQuery, signal) =>
  call('GET /api/endpoint', { query, signal }),
)

const askableFilter = { method_type: 'get', status: 'active' } as const
const askablePagesMax = 10

/** A GET reads unless its settings say otherwise. */
const isRead = ({ run_settings: { effect } }: EndpointRecord) => effect === '' || effect === 'read'

export const endpointQueries = {
  list: endpoints.list,
  /** What a status query may ask: active GET endpoints that only read, by name. */
  askable: () =>
    queryOptions({
      queryKey: [...endpoints.all, 'askable'],
      queryFn: async ({ signal }) => {
        const found: EndpointRecord[] = []
        for (let page = 1; page <= askablePagesMax; page++) {
          const query = { page, limit: 100, sort: 'description', ...askableFilter } as const
          const [answer] = await call('GET /api/endpoint', { query, signal })
          found.push(...answer.data.filter(isRead))
          if (page >= answer.last_page) break
        }
        return found
      },
    }),
  create: () =>
    endpoints.form('new', async (signal) => {
      const [apis] = await call('GET /api/endpoint/create', { signal })
      return { apis: apis.map(toApiChoice) }
    }),
  edit: (id: number) =>
    endpoints.form(id, async (signal) => {
      const [endpoint, apis] = await call('GET /api/endpoint/:id/edit', { params: { id }, signal })
      return { endpoint, apis: apis.map(toApiChoice) }
    }),
}

function toApiChoice(record: ApiRecord): ApiChoice {
  const { name, authentication, context } = readSubmittedApi(record)
  return { value: String(record.id), label: name, demandsToken: authentication, context }
}

export const useDeleteEndpoint = () =>
  endpoints.useAction((id: number) => call('DELETE /api/endpoint/:id', { params: { id } }))

export const useCreateEndpoint = () =>
  endpoints.useSave((body: EndpointInput) => call('POST /api/endpoint', { body }))

type EndpointUpdate = CallInput<Routes['PUT /api/endpoint/:id']>['body']

export const useUpdateEndpoint = (id: number) =>
  endpoints.useSave((body: EndpointUpdate) =>
    call('PUT /api/endpoint/:id', { params: { id }, body }),
  )
