import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'
import { messageOf } from '../../lib/calls/call-error.ts'
import { defineResource, useAction } from '../../lib/calls/define-resource.ts'
import { notifyError } from '../../lib/page/notify.tsx'
import { readSubmittedApi } from '../../entities/api/submitted-api.ts'

type ListQuery = CallInput<Routes['GET /api/apis']>['query']

/** What the form sends (spec: api-definition). */
export type ApiInput = CallInput<Routes['POST /api/apis']>['body']

const apis = defineResource('apis', (query: ListQuery, signal) =>
  call('GET /api/apis', { query, signal }),
)

export type SignInPlace = NonNullable<
  CallInput<Routes['GET /api/apis/:id/sign-in']>['query']['which']
>

const signInKey = [...apis.all, 'sign-in'] as const

export const apiQueries = {
  list: apis.list,
  edit: (id: number) =>
    apis.form(id, async (signal) => {
      const [record] = await call('GET /api/apis/:id/edit', { params: { id }, signal })
      const { fault = null, gateway_url = '' } = record
      return { ...readSubmittedApi(record), fault, gateway_url }
    }),
  /** Asked often enough to show a refusal soon. */
  signIn: (id: number, which: SignInPlace) =>
    queryOptions({
      queryKey: [...signInKey, id, which],
      queryFn: ({ signal }) =>
        call('GET /api/apis/:id/sign-in', { params: { id }, query: { which }, signal }),
      refetchInterval: 30_000,
    }),
  /** Of all APIs that have one. */
  signIns: () =>
    queryOptions({
      queryKey: [...signInKey, 'all'],
      queryFn: ({ signal }) => call('GET /api/sign-ins', { signal }),
      refetchInterval: 30_000,
    }),
  contract: (id: number) =>
    queryOptions({
      queryKey: [...apis.all, 'contract', id],
      queryFn: ({ signal }) => call('GET /api/apis/:id/procedure', { params: { id }, signal }),
    }),
}

/** Signs in now, with what is saved. */
export const useTestSignIn = (id: number, which: SignInPlace) =>
  useAction(signInKey, () =>
    call('POST /api/apis/:id/sign-in', { params: { id }, query: { which } }),
  )

/** Reads the catalogue now, or accepts what was read as the new contract. */
export function useContractAction(id: number, action: 'check' | 'accept') {
  const client = useQueryClient()
  return apis.useAction(() => call(`POST /api/apis/:id/procedure/${action}`, { params: { id } }), {
    onSuccess: (contract) => client.setQueryData(apiQueries.contract(id).queryKey, contract),
    onError: (error) => notifyError('The procedure was not read.', messageOf(error)),
  })
}

export const useCreateApi = () => apis.useSave((body: ApiInput) => call('POST /api/apis', { body }))

type ApiUpdate = CallInput<Routes['PUT /api/apis/:id']>['body']

export const useUpdateApi = (id: number) =>
  apis.useSave((body: ApiUpdate) => call('PUT /api/apis/:id', { params: { id }, body }))

export const useDeleteApi = () =>
  apis.useAction((id: number) => call('DELETE /api/apis/:id', { params: { id } }))
