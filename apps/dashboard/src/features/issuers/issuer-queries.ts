import type { CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'
import { defineResource } from '../../lib/calls/define-resource.ts'
import { useMutation } from '../../lib/calls/use-mutation.ts'

type ListQuery = CallInput<Routes['GET /api/token-issuers']>['query']
export type IssuerBody = CallInput<Routes['POST /api/token-issuers']>['body']

const issuers = defineResource('token-issuers', (query: ListQuery, signal) =>
  call('GET /api/token-issuers', { query, signal }),
)

const fetchRoles = async (signal: AbortSignal) =>
  (await call('GET /api/token-issuers/create', { signal })).roles

export const issuerQueries = {
  list: issuers.list,
  create: () => issuers.form('new', async (signal) => ({ roles: await fetchRoles(signal) })),
  edit: (id: number) =>
    issuers.form(id, async (signal) => {
      const [{ issuer }, roles] = await Promise.all([
        call('GET /api/token-issuers/:id', { params: { id }, signal }),
        fetchRoles(signal),
      ])
      return { issuer, roles }
    }),
}

export const useSaveIssuer = (id?: number) =>
  issuers.useSave((body: IssuerBody) =>
    id === undefined
      ? call('POST /api/token-issuers', { body })
      : call('PUT /api/token-issuers/:id', { params: { id }, body }),
  )

export const useDeleteIssuer = () =>
  issuers.useAction((id: number) => call('DELETE /api/token-issuers/:id', { params: { id } }))

/** As a save: the open form keeps what was typed. */
export const useFetchKeys = () =>
  useMutation({
    mutationFn: issuers.useSave((id: number) =>
      call('POST /api/token-issuers/:id/keys', { params: { id } }),
    ),
  })
