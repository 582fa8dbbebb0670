import { queryOptions } from '@tanstack/react-query'
import type { CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../lib/call.ts'
import { useAction } from '../../lib/define-resource.ts'

type PasswordInput = CallInput<Routes['PUT /api/password']>['body']

const ownSessions = ['own-sessions'] as const

export const accountQueries = {
  sessions: () =>
    queryOptions({
      queryKey: ownSessions,
      queryFn: async ({ signal }) => (await call('GET /api/sessions', { signal })).sessions,
    }),
}

/** Ends one session, or all but this one. */
export const useEndSessions = () =>
  useAction(ownSessions, (which: number | 'others') =>
    which === 'others'
      ? call('DELETE /api/sessions')
      : call('DELETE /api/sessions/:id', { params: { id: which } }),
  )

/** The server ends all other sessions, so their list is fetched again. */
export const useChangePassword = () =>
  useAction(ownSessions, (body: PasswordInput) => call('PUT /api/password', { body }))
