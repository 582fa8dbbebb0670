import { superAdminRole } from '@gatehouse/contract/permissions'
import { useUser } from '../../lib/session/session.tsx'

/**
 * Says whether a user with these roles can't be changed by the signed-in user: only a Super Admin
 * changes a Super Admin. The server also refuses roles that hold more than the signed-in user does.
 */
export function useIsOutOfReach(): (roleNames: readonly string[]) => boolean {
  const { roles } = useUser()
  const isSuperAdmin = roles.some(({ name }) => name === superAdminRole)
  return (roleNames) => !isSuperAdmin && roleNames.includes(superAdminRole)
}

/** The account whose token the token screen's Generate asks for (spec: limits). It can't be deleted. */
export const gatewayClientId = 4
