import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../lib/call.ts'
import { readSubmittedApi } from '../../entities/api/submitted-api.ts'

type ListQuery = CallInput<Routes['GET /api/apis']>['query']

/** What the form sends (spec: api-definition). */
export type ApiInput = CallInput<Routes['POST /api/apis']>['body']

const all = ['apis'] as const

export const apiQueries = {
  list: (query: ListQuery) =>
    queryOptions({
      queryKey: [...all, 'list', query],
      queryFn: ({ signal }) => call('GET /api/apis', { query, signal }),
      placeholderData: keepPreviousData,
    }),
  /** Loaded anew each time the form opens: it holds the version that a save is checked against. */
  edit: (id: number) =>
    queryOptions({
      queryKey: [...all, 'edit', id],
      queryFn: async ({ signal }) => {
        const [record] = await call('GET /api/apis/:id/edit', { params: { id }, signal })
        return { ...readSubmittedApi(record), fault: record.fault ?? null }
      },
      gcTime: 0,
      staleTime: Infinity,
    }),
  contract: (id: number) =>
    queryOptions({
      queryKey: [...all, 'contract', id],
      queryFn: ({ signal }) => call('GET /api/apis/:id/procedure', { params: { id }, signal }),
    }),
}

/** Reads the catalogue now, or makes what was found the promise. */
export function useContractDeed(id: number, deed: 'check' | 'accept') {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(`POST /api/apis/:id/procedure/${deed}`, { params: { id } }),
    onSuccess: (contract) => client.setQueryData(apiQueries.contract(id).queryKey, contract),
    onSettled: () => client.invalidateQueries({ queryKey: all }),
  })
}

export function useDeleteApi() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call('DELETE /api/apis/:id', { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: all }),
  })
}
