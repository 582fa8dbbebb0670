import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AccessRow, CallInput, explainSubjects, Routes } from '@gatehouse/contract'
import { call } from '../../lib/call.ts'

type ListQuery = CallInput<Routes['GET /api/api-permission']>['query']
export type AccessSubject = (typeof explainSubjects)[number]

const all = ['access'] as const

export const accessQueries = {
  list: (query: ListQuery) =>
    queryOptions({
      queryKey: [...all, 'list', query],
      queryFn: ({ signal }) => call('GET /api/api-permission', { query, signal }),
      placeholderData: keepPreviousData,
    }),
  /** Loaded anew each time the form opens. */
  edit: (id: number) =>
    queryOptions({
      queryKey: [...all, 'edit', id],
      queryFn: ({ signal }) => call('GET /api/api-permission/:id/edit', { params: { id }, signal }),
      gcTime: 0,
      staleTime: Infinity,
    }),
  /** What this choice would open and close; reads only, although it is a POST. */
  preview: (id: number, endpoints: readonly number[]) =>
    queryOptions({
      queryKey: [...all, 'preview', id, endpoints],
      queryFn: ({ signal }) =>
        call('POST /api/api-permission/:id/preview', {
          params: { id },
          body: { endpoints: [...endpoints] },
          signal,
        }),
      placeholderData: keepPreviousData,
      gcTime: 0,
    }),
  whoCanCall: (endpointId: number) =>
    queryOptions({
      queryKey: [...all, 'endpoint', endpointId],
      queryFn: ({ signal }) =>
        call('GET /api/access/endpoint/:id', { params: { id: endpointId }, signal }),
      gcTime: 0,
    }),
  whatCanBeCalled: (subject: AccessSubject, id: number) =>
    queryOptions({
      queryKey: [...all, subject, id],
      queryFn: ({ signal }) =>
        call('GET /api/access/:subject/:id/endpoints', { params: { subject, id }, signal }),
      gcTime: 0,
    }),
}

export function useRemoveAccess() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (row: AccessRow) =>
      call('DELETE /api/api-permission/:role/:user', {
        params: { role: row.id, user: row.user_id },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: all }),
  })
}
