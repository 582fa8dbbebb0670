import { compileRole, rightsOf, type Caller } from './caller.ts'
import type { Rights } from './compile-callers.ts'

/**
 * A caller who has this role alone, for a request that is tried as one of theirs. A role that is gone, or that has
 * no access, may call nothing.
 */
export function callerWithRole(id: number, { access, super_admin_role_id }: Rights): Caller {
  return {
    tokenId: null,
    quotaKey: `r${id}`,
    logged: '"token_id":null',
    jwt: null,
    expiresAtMs: Infinity,
    isSuperAdmin: id === super_admin_role_id,
    ...rightsOf(access.filter(({ role_id }) => role_id === id).map(compileRole)),
    signingSecret: null,
    limits: null,
  }
}
