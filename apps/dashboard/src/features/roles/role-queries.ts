import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../lib/call.ts'
import { sessionKey } from '../../lib/session-key.ts'

type ListQuery = CallInput<Routes['GET /api/role']>['query']
type RoleInput = CallInput<Routes['PUT /api/role/:id']>['body']

const all = ['roles'] as const

/** A form is loaded anew each time it opens: it holds the version that a save is checked against. */
const formOptions = { gcTime: 0, staleTime: Infinity } as const

export const roleQueries = {
  list: (query: ListQuery) =>
    queryOptions({
      queryKey: [...all, 'list', query],
      queryFn: ({ signal }) => call('GET /api/role', { query, signal }),
      placeholderData: keepPreviousData,
    }),
  create: () =>
    queryOptions({
      queryKey: [...all, 'create'],
      queryFn: ({ signal }) => call('GET /api/role/create', { signal }),
      ...formOptions,
    }),
  edit: (id: number) =>
    queryOptions({
      queryKey: [...all, 'edit', id],
      queryFn: ({ signal }) => call('GET /api/role/:id/edit', { params: { id }, signal }),
      ...formOptions,
    }),
}

/** A change of role may change what the user themselves may do: the menu follows at once. */
export function useUpdateRole(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: RoleInput) => call('PUT /api/role/:id', { params: { id }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionKey }),
  })
}

export function useDeleteRole() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call('DELETE /api/role/:id', { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: all }),
  })
}
