import { queryOptions } from '@tanstack/react-query'
import type { CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'
import { useAction, useRefresh } from '../../lib/calls/define-resource.ts'

type PasswordInput = CallInput<Routes['PUT /api/password']>['body']

const ownPassword = ['own-password'] as const

const ownSessions = ['own-sessions'] as const

const ownSecondFactor = ['own-second-factor'] as const

const ownPasskeys = ['own-passkeys'] as const

const adminTokens = ['own-admin-tokens'] as const

export const accountQueries = {
  adminTokens: () =>
    queryOptions({
      queryKey: adminTokens,
      queryFn: async ({ signal }) => (await call('GET /api/admin-tokens', { signal })).tokens,
    }),
  hasPassword: () =>
    queryOptions({
      queryKey: ownPassword,
      queryFn: async ({ signal }) =>
        (await call('GET /api/auth', { signal })).has_password !== false,
    }),
  passkeys: () =>
    queryOptions({
      queryKey: ownPasskeys,
      queryFn: ({ signal }) => call('GET /api/passkeys', { signal }),
    }),
  secondFactor: () =>
    queryOptions({
      queryKey: ownSecondFactor,
      queryFn: ({ signal }) => call('GET /api/second-factor', { signal }),
    }),
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

type Proof = CallInput<Routes['POST /api/second-factor/remove']>['body']

/** Secrets and recovery codes are not kept. */
const shownOnce = { gcTime: 0 }

export function useSecondFactorCalls() {
  const refreshSessions = useRefresh(ownSessions)
  return {
    begin: useAction(
      ownSecondFactor,
      (current_password: string) => call('POST /api/second-factor', { body: { current_password } }),
      shownOnce,
    ),
    /** The server ends all other sessions. */
    confirm: useAction(
      ownSecondFactor,
      async (code: string) => {
        const { recovery_codes } = await call('POST /api/second-factor/confirm', { body: { code } })
        await refreshSessions()
        return recovery_codes
      },
      shownOnce,
    ),
    renew: useAction(
      ownSecondFactor,
      async (body: Proof) =>
        (await call('POST /api/second-factor/recovery-codes', { body })).recovery_codes,
      shownOnce,
    ),
    remove: useAction(ownSecondFactor, (body: Proof) =>
      call('POST /api/second-factor/remove', { body }),
    ),
  }
}

type NewPasskey = CallInput<Routes['POST /api/passkeys/begin']>['body']

export function usePasskeyCalls() {
  const refreshSessions = useRefresh(ownSessions)
  return {
    begin: (body: NewPasskey) => call('POST /api/passkeys/begin', { body }),
    add: useAction(ownPasskeys, (body: CallInput<Routes['POST /api/passkeys']>['body']) =>
      call('POST /api/passkeys', { body }),
    ),
    rename: useAction(ownPasskeys, ({ id, name }: { id: number; name: string }) =>
      call('PUT /api/passkeys/:id', { params: { id }, body: { name } }),
    ),
    /** The server ends all other sessions. */
    remove: useAction(ownPasskeys, async ({ id, ...body }: Proof & { id: number }) => {
      await call('POST /api/passkeys/:id/remove', { params: { id }, body })
      await refreshSessions()
    }),
  }
}

type NewAdminToken = CallInput<Routes['POST /api/admin-tokens']>['body']

/** The token in clear text is in this answer alone, and in no cache. */
export const useCreateAdminToken = () =>
  useAction(
    adminTokens,
    async (body: NewAdminToken) => (await call('POST /api/admin-tokens', { body })).admin_token,
    shownOnce,
  )

export const useRevokeAdminToken = () =>
  useAction(adminTokens, (id: number) => call('DELETE /api/admin-tokens/:id', { params: { id } }))
