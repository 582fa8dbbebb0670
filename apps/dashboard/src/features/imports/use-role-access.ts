import { useQuery } from '@tanstack/react-query'
import { superAdminRole } from '@gatehouse/contract/permissions'
import type { RoleOption } from '@gatehouse/contract'
import { useState } from 'react'
import { firstStepsQuery } from '../../entities/first-call/first-steps-query.ts'
import { call } from '../../lib/calls/call.ts'
import { useCan } from '../../lib/session/session.tsx'

export interface RoleAccess {
  /** False: this user may give no access. */
  isPossible: boolean
  roles: RoleOption[]
  /** Ids of those that get it. */
  chosen: readonly number[]
  choose: (ids: readonly number[]) => void
}

const shownMax = 100

/** Who may call what is imported. For a first endpoint the role of the gateway client is chosen. */
export function useRoleAccess(prefersClient: boolean): RoleAccess {
  const can = useCan()
  const isPossible = can('api-permission.edit') && can('role.view')
  const [given, setGiven] = useState<readonly number[]>()
  const { data = [] } = useQuery({
    queryKey: ['roles', 'names', 'all'],
    queryFn: async ({ signal }) => {
      const query = { page: 1, limit: shownMax, sort: 'id' } as const
      return (await call('GET /api/role', { query, signal }))[0].data
    },
    enabled: isPossible,
  })
  const roles = data.filter(({ name }) => name !== superAdminRole)
  const client = useClientRole(isPossible && prefersClient)
  const preferred = roles.some(({ id }) => id === client?.id) && client ? [client.id] : []
  return { isPossible, roles, chosen: given ?? preferred, choose: setGiven }
}

/** The role of the gateway client, for whom _Generate_ makes tokens. */
export function useClientRole(isWanted: boolean): RoleOption | undefined {
  const can = useCan()
  const { data } = useQuery({ ...firstStepsQuery, enabled: isWanted && can('api.create') })
  // What another screen has fetched is there all the same.
  return isWanted ? (data?.client_role ?? undefined) : undefined
}
