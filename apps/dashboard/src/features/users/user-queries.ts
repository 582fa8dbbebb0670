import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../lib/call.ts'

type ListQuery = CallInput<Routes['GET /api/user']>['query']
export type NewUserInput = CallInput<Routes['POST /api/user']>['body']
export type UserChangeInput = CallInput<Routes['PUT /api/user/:id']>['body']
export type PasswordInput = CallInput<Routes['PUT /api/password']>['body']

const all = ['users'] as const

/** A form is loaded anew each time it opens: it holds the version that a save is checked against. */
const formOptions = { gcTime: 0, staleTime: Infinity } as const

export const userQueries = {
  list: (query: ListQuery) =>
    queryOptions({
      queryKey: [...all, 'list', query],
      queryFn: ({ signal }) => call('GET /api/user', { query, signal }),
      placeholderData: keepPreviousData,
    }),
  create: () =>
    queryOptions({
      queryKey: [...all, 'create'],
      queryFn: ({ signal }) => call('GET /api/user/create', { signal }),
      ...formOptions,
    }),
  edit: (id: number) =>
    queryOptions({
      queryKey: [...all, 'edit', id],
      queryFn: ({ signal }) => call('GET /api/user/:id/edit', { params: { id }, signal }),
      ...formOptions,
    }),
}

export function useDeleteUser() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call('DELETE /api/user/:id', { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: all }),
  })
}
