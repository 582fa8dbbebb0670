import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../lib/call.ts'

type ListQuery = CallInput<Routes['GET /api/context']>['query']

const all = ['contexts'] as const

export const contextQueries = {
  list: (query: ListQuery) =>
    queryOptions({
      queryKey: [...all, 'list', query],
      queryFn: ({ signal }) => call('GET /api/context', { query, signal }),
      placeholderData: keepPreviousData,
    }),
}

export function useUpdateContext(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (context: string) =>
      call('PUT /api/context/:id', { params: { id }, body: { context } }),
    onSuccess: () => client.invalidateQueries({ queryKey: all }),
  })
}
