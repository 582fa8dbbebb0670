import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { CallInput, Routes } from '@gatehouse/contract'
import { call, type Answer } from '../../lib/call.ts'

type ListQuery = CallInput<Routes['GET /api/token']>['query']
type TokenInput = CallInput<Routes['POST /admin/token/store']>['body']
export type NewToken = Answer<'POST /admin/token/store'>['access_token']

const all = ['tokens'] as const

export const tokenQueries = {
  list: (query: ListQuery) =>
    queryOptions({
      queryKey: [...all, 'list', query],
      queryFn: ({ signal }) => call('GET /api/token', { query, signal }),
      placeholderData: keepPreviousData,
    }),
  /** For whom the caller may generate tokens. */
  owners: () =>
    queryOptions({
      queryKey: [...all, 'owners'],
      queryFn: async ({ signal }) => (await call('GET /api/token/create', { signal })).users,
    }),
}

/** The token in clear text is in this answer alone, and in no cache. */
export function useCreateToken() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: TokenInput) => call('POST /admin/token/store', { body }),
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: [...all, 'list'] }),
  })
}

export function useRevokeToken() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call('DELETE /api/token/:id', { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: [...all, 'list'] }),
  })
}
