import type { Permission, SessionUser } from '@gatehouse/contract'

/** Who makes a call, as the session check found out. */
export interface Caller {
  user: SessionUser
  sessionId: number
  /** Holds every permission and has access to every endpoint. */
  isSuperAdmin: boolean
}

export function can(caller: Caller, permission: Permission): boolean {
  return caller.isSuperAdmin || caller.user.permissions.includes(permission)
}
