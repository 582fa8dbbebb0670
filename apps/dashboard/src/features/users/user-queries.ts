import type { CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'
import { defineResource, useAction } from '../../lib/calls/define-resource.ts'

type ListQuery = CallInput<Routes['GET /api/user']>['query']
export type NewUserInput = CallInput<Routes['POST /api/user']>['body']
export type UserChangeInput = CallInput<Routes['PUT /api/user/:id']>['body']

const users = defineResource('users', (query: ListQuery, signal) =>
  call('GET /api/user', { query, signal }),
)

export const userQueries = {
  list: users.list,
  create: () => users.form('new', (signal) => call('GET /api/user/create', { signal })),
  edit: (id: number) =>
    users.form(id, (signal) => call('GET /api/user/:id/edit', { params: { id }, signal })),
}

export const useDeleteUser = () =>
  users.useAction((id: number) => call('DELETE /api/user/:id', { params: { id } }))

export const useResetSecondFactor = () =>
  users.useAction((id: number) => call('DELETE /api/user/:id/second-factor', { params: { id } }))

export const useResetPasskeys = () =>
  users.useAction((id: number) => call('DELETE /api/user/:id/passkeys', { params: { id } }))

export const useInviteUser = () =>
  users.useAction((id: number) => call('POST /api/user/:id/invitation', { params: { id } }))

interface Invitation {
  email: string
  name: string
  /** The id of a role, or the name of the preset. */
  role: string | null
  /** A role is made of it first. */
  preset: { label: string; permissions: readonly string[] } | undefined
}

/** Roles are fetched again too: one may be new. */
export const useInvite = () =>
  useAction([], async ({ email, name, role, preset }: Invitation) => {
    const made = preset && (await call('POST /api/role', { body: toRole(preset) }))
    const roles = made ? [made.id] : role === null ? [] : [Number(role)]
    const body = { email, name, username: '', roles, sends_invitation: true }
    return call('POST /api/user', { body })
  })

const toRole = ({ label, permissions }: NonNullable<Invitation['preset']>) => ({
  name: label,
  permissions: [...permissions],
})

export const useTakeInvitationBack = () =>
  users.useAction((id: number) => call('DELETE /api/user/:id/invitation', { params: { id } }))

export const useRevokeAdminTokensOf = () =>
  users.useAction((id: number) => call('DELETE /api/user/:id/admin-tokens', { params: { id } }))

export const useCreateUser = () =>
  users.useSave((body: NewUserInput) => call('POST /api/user', { body }))

export const useUpdateUser = (id: number) =>
  users.useSave((body: UserChangeInput) => call('PUT /api/user/:id', { params: { id }, body }))
