import { queryOptions } from '@tanstack/react-query'
import type { CallInput, Routes } from '@gatehouse/contract'
import { call, type Answer } from '../../lib/calls/call.ts'
import { useMutation } from '../../lib/calls/use-mutation.ts'
import { defineResource } from '../../lib/calls/define-resource.ts'

type ListQuery = CallInput<Routes['GET /api/token']>['query']
type TokenInput = CallInput<Routes['POST /admin/token/store']>['body']
type LimitsInput = CallInput<Routes['PUT /api/token/:id/limits']>['body']
export type NewToken = Answer<'POST /admin/token/store'>['access_token']

const tokens = defineResource('tokens', (query: ListQuery, signal) =>
  call('GET /api/token', { query, signal }),
)

export const tokenQueries = {
  list: tokens.list,
  /** For whom the caller may generate tokens. */
  owners: () =>
    queryOptions({
      queryKey: [...tokens.all, 'owners'],
      queryFn: async ({ signal }) => (await call('GET /api/token/create', { signal })).users,
    }),
  /** What tokens of a user could be limited to. */
  choices: (user: number, search: string, endpoints: 'all' | 'tools') =>
    queryOptions({
      queryKey: [...tokens.all, 'choices', user, search, endpoints],
      queryFn: ({ signal }) =>
        call('GET /api/token/choices', { query: { user, search, endpoints }, signal }),
    }),
  detail: (id: number) =>
    tokens.form(id, (signal) => call('GET /api/token/:id', { params: { id }, signal })),
}

export const useLimitToken = (id: number) =>
  tokens.useSave((body: LimitsInput) => call('PUT /api/token/:id/limits', { params: { id }, body }))

/** The token in clear text is in this answer alone, and in no cache. */
export const useCreateToken = () =>
  tokens.useAction((body: TokenInput) => call('POST /admin/token/store', { body }), { gcTime: 0 })

export const useRevokeToken = () =>
  tokens.useAction((id: number) => call('DELETE /api/token/:id', { params: { id } }))

/** The secret in clear text is in this answer alone, and in no cache. What is typed into the page of the token stays. */
export const useMakeSigningSecret = (id: number) =>
  tokens.useSave((_: void) => call('POST /api/token/:id/signing-secret', { params: { id } }))

export const useRemoveSigningSecret = (id: number) =>
  tokens.useSave((_: void) => call('DELETE /api/token/:id/signing-secret', { params: { id } }))

/** Asks the gateway with the token itself. What it answers is in no cache. */
export const useCheckAgentToken = () =>
  useMutation({
    mutationFn: (token: string) => call('POST /api/token/check-agent', { body: { token } }),
    gcTime: 0,
  })
