import { queryOptions } from '@tanstack/react-query'
import type { OpenApiFormat } from '@gatehouse/contract'
import { call, type Answer } from '../../lib/calls/call.ts'
import { callBytes } from '../../lib/calls/call-bodies.ts'
import { useAction } from '../../lib/calls/define-resource.ts'

export type ConsumerRoles = Answer<'GET /api/consumer-docs/roles'>
export type ConsumerRole = ConsumerRoles['roles'][number]

export interface DocsScope {
  role_id?: number
  api_id?: number
}

const all = ['consumer-docs'] as const

export const consumerDocsQueries = {
  roles: queryOptions({
    queryKey: [...all, 'roles'],
    queryFn: ({ signal }) => call('GET /api/consumer-docs/roles', { signal }),
  }),
  docs: (scope: DocsScope) =>
    queryOptions({
      queryKey: [...all, 'docs', scope],
      queryFn: ({ signal }) => call('GET /api/consumer-docs', { query: scope, signal }),
      retry: false,
    }),
  shared: (link: string) =>
    queryOptions({
      queryKey: [...all, 'shared', link],
      queryFn: ({ signal }) => call('POST /api/consumer-docs/shared', { body: { link }, signal }),
      retry: false,
    }),
}

export const fetchOpenApi = async (scope: DocsScope, format: OpenApiFormat) =>
  (await callBytes('GET /api/consumer-docs/openapi', { query: { ...scope, format } })).body

export const fetchSharedOpenApi = async (link: string, format: OpenApiFormat) =>
  (await callBytes('POST /api/consumer-docs/shared/openapi', { body: { link, format } })).body

export const useShare = () =>
  useAction(
    all,
    (id: number) => call('POST /api/consumer-docs/roles/:id/link', { params: { id } }),
    // The link is a secret: it is shown once.
    { gcTime: 0 },
  )

export const useUnshare = () =>
  useAction(all, (id: number) =>
    call('DELETE /api/consumer-docs/roles/:id/link', { params: { id } }),
  )
