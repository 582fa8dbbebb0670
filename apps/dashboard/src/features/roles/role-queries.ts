import type { CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'
import { defineResource, useRefresh } from '../../lib/calls/define-resource.ts'
import { sessionKey } from '../../lib/session/session-key.ts'

type ListQuery = CallInput<Routes['GET /api/role']>['query']
type NewRoleInput = CallInput<Routes['POST /api/role']>['body']
type RoleInput = CallInput<Routes['PUT /api/role/:id']>['body']

const roles = defineResource('roles', (query: ListQuery, signal) =>
  call('GET /api/role', { query, signal }),
)

export const roleQueries = {
  list: roles.list,
  create: () => roles.form('new', (signal) => call('GET /api/role/create', { signal })),
  edit: (id: number) =>
    roles.form(id, (signal) => call('GET /api/role/:id/edit', { params: { id }, signal })),
}

/** A role may be the user's own: their permissions and the menu follow at once. */
export function useUpdateRole(id: number) {
  const refreshSession = useRefresh(sessionKey)
  return roles.useSave(async (body: RoleInput) => {
    const answer = await call('PUT /api/role/:id', { params: { id }, body })
    await refreshSession()
    return answer
  })
}

export const useDeleteRole = () =>
  roles.useAction((id: number) => call('DELETE /api/role/:id', { params: { id } }))

export const useCreateRole = () =>
  roles.useSave((body: NewRoleInput) => call('POST /api/role', { body }))
