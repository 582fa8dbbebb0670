import { superAdminRole } from '@gatehouse/contract/permissions'
import { useUser } from '../../lib/session.tsx'

/**
 * Tells whether somebody with these roles is out of the user's reach: only a Super Admin changes a
 * Super Admin. Other roles beyond the user's own permissions only the server knows; it refuses them.
 */
export function useIsOutOfReach(): (roleNames: readonly string[]) => boolean {
  const { roles } = useUser()
  const isSuperAdmin = roles.some(({ name }) => name === superAdminRole)
  return (roleNames) => !isSuperAdmin && roleNames.includes(superAdminRole)
}
