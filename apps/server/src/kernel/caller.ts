import { superAdminRole, type Access, type Permission, type SessionUser } from '@gatehouse/contract'
import { AppError } from './app-error.ts'

/**
 * Who makes a call, by a session or by a personal token. The check is repeated before the call's handler
 * runs and inside the transaction of its change; each time it updates `user` and `isSuperAdmin`.
 */
export interface Caller {
  user: SessionUser
  /** Absent where the caller shows a personal token. */
  sessionId?: number
  /** The personal token that was shown; absent where the caller is signed in. */
  tokenId?: number
  /** What that token is used for. */
  tokenCall?: TokenCall
  /** The token for programs that was shown; absent for every other caller. It limits `user.permissions`. */
  adminToken?: { id: number; name: string }
  /** Work that the user has set up goes on without a call: there is no session and no token to check. */
  isUnattended?: true
  /** Holds every permission and has access to every endpoint. */
  isSuperAdmin: boolean
  /** What the route of this call asks of its caller. */
  access?: Access
}

/** A call with a personal token, as far as a token may be limited to some calls. */
export interface TokenCall {
  method: string
  /** Of the workflow; absent on a route without one. */
  slug: string | undefined
  /** Of the client; behind trusted proxies, the one that they give. */
  address: string
}

/** Tells apart what callers show: sessions, personal tokens and tokens for programs. */
export const shownBy = ({ sessionId, tokenId, adminToken }: Caller): string =>
  `${sessionId ?? ''}/${tokenId ?? ''}/${adminToken?.id ?? ''}`

/** The session of a caller who is signed in. Throws a 401 for one who shows a personal token. */
export function sessionOf({ sessionId }: Caller): number {
  if (sessionId === undefined) throw new AppError('session.unauthenticated')
  return sessionId
}

/** A caller with what the audit trail says of the call. */
export interface Actor {
  caller: Caller
  requestId: string
  address: string
  /** The header as it was sent (W3C Trace Context); a run that starts continues that trace. */
  traceparent?: string | undefined
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

export const isSuperAdmin = ({ roles }: Pick<SessionUser, 'roles'>) =>
  roles.some(({ name }) => name === superAdminRole)

export function can(caller: Caller, permission: Permission): boolean {
  return caller.isSuperAdmin || caller.user.permissions.includes(permission)
}

/** The part of a role that decides who may give it. Without an id, the role is new. */
interface RoleReach {
  id?: number
  name: string
  permissions: readonly string[]
}

export interface KnownRole extends RoleReach {
  id: number
}

/** How far a caller reaches, on both axes: permissions, and access to endpoints and workflows. */
export interface Reach {
  caller: Caller
  /** Roles that may call an endpoint which the caller may not. Empty for those who may grant access. */
  roleIdsBeyond: ReadonlySet<number>
  /** Roles that may run a workflow which the caller may not. Empty likewise. */
  workflowRoleIdsBeyond: ReadonlySet<number>
}

/**
 * Why the caller may neither give, take nor change this role, or undefined. Callers can only change
 * roles that hold no permission, no endpoint and no workflow beyond their own.
 */
export function beyondReach(reach: Reach, role: RoleReach): string | undefined {
  const { caller, roleIdsBeyond, workflowRoleIdsBeyond } = reach
  if (caller.isSuperAdmin) return undefined
  if (role.name === superAdminRole)
    return 'Only a Super Admin may give or take the role Super Admin.'
  const lacking = role.permissions.filter((name) => !caller.user.permissions.includes(name))
  if (lacking.length > 0) {
    const named = lacking.slice(0, 3).join(', ') + (lacking.length > 3 ? ' …' : '')
    return `The role ${role.name} holds permissions that you do not: ${named}.`
  }
  if (role.id !== undefined && roleIdsBeyond.has(role.id))
    return `The role ${role.name} has access to endpoints that you do not have access to.`
  if (role.id !== undefined && workflowRoleIdsBeyond.has(role.id))
    return `The role ${role.name} has access to workflows that you do not have access to.`
  return undefined
}

export function refuseBeyondReach(reach: Reach, roles: readonly RoleReach[]): void {
  for (const role of roles) {
    const message = beyondReach(reach, role)
    if (message) throw new AppError('permission.denied', { message })
  }
}
