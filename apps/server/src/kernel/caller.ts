import { superAdminRole, type Access, type Permission, type SessionUser } from '@gatehouse/contract'
import { AppError } from './app-error.ts'

/**
 * Who makes a call, as the session check found out. The check is made again before the call's handler
 * runs and inside the transaction of its change; each time `user` and `isSuperAdmin` are set to what is
 * true then.
 */
export interface Caller {
  user: SessionUser
  sessionId: number
  /** Holds every permission and has access to every endpoint. */
  isSuperAdmin: boolean
  /** What the route of this call asks of its caller. */
  access?: Access
}

/** A caller with what the audit trail says of the call. */
export interface Actor {
  caller: Caller
  requestId: string
  address: string
}

/** Throws a 403 unless the caller holds what the route asks for. */
export function refuseWithout(caller: Caller, access: Access): void {
  if (access === 'public' || access === 'session' || can(caller, access)) return
  throw new AppError('permission.denied', {
    message: `You do not have permission to do this (${access}).`,
  })
}

/** The same call where it asks for more than its route does. */
export const asking = (actor: Actor, access: Access): Actor => ({
  ...actor,
  caller: { ...actor.caller, access },
})

export function can(caller: Caller, permission: Permission): boolean {
  return caller.isSuperAdmin || caller.user.permissions.includes(permission)
}

/** A role as far as it matters for who may hand it out. */
export interface RoleReach {
  name: string
  permissions: readonly string[]
}

export interface KnownRole extends RoleReach {
  id: number
}

/**
 * Why the caller may neither give, take nor change this role, or undefined. Nobody reaches beyond
 * what they hold themselves: a role with one permission more is out of their hands.
 */
export function beyondReach(caller: Caller, role: RoleReach): string | undefined {
  if (caller.isSuperAdmin) return undefined
  if (role.name === superAdminRole)
    return 'Only a Super Admin may give or take the role Super Admin.'
  const lacking = role.permissions.filter((name) => !caller.user.permissions.includes(name))
  if (lacking.length === 0) return undefined
  const named = lacking.slice(0, 3).join(', ') + (lacking.length > 3 ? ' …' : '')
  return `The role ${role.name} holds permissions that you do not: ${named}.`
}

export function refuseBeyondReach(caller: Caller, roles: readonly RoleReach[]): void {
  for (const role of roles) {
    const message = beyondReach(caller, role)
    if (message) throw new AppError('permission.denied', { message })
  }
}
