import type { ConfigSnapshot, SnapshotToken } from '@gatehouse/contract/gateway'
import { hash } from 'node:crypto'
import { rightsOf, type Caller, type RoleAccess } from './caller.ts'
import { compileLimits } from './token-limits.ts'

/**
 * The personal tokens of one snapshot. A digest is computed once for each token that is in use:
 * afterwards the header itself leads to it. Only valid tokens are remembered so, in their one
 * canonical spelling, so that no client can fill the memory.
 */
export class TokenIndex {
  readonly #byDigest = new Map<string, Caller>()
  /** By id, those that have a signing secret. */
  readonly #signing = new Map<number, Caller>()
  readonly #byHeader = new Map<string, Caller>()

  constructor(
    tokens: readonly SnapshotToken[],
    byRole: RoleAccess,
    superAdminRoleId: ConfigSnapshot['super_admin_role_id'],
  ) {
    for (const token of tokens) {
      const caller = compileToken(token, byRole, superAdminRoleId)
      this.#byDigest.set(token.digest, caller)
      if (token.signing_secret !== null) this.#signing.set(token.id, caller)
    }
  }

  /** The token that an Authorization header holds; null: none of ours, whatever it is. */
  find(authorization: string): Caller | null {
    const known = this.#byHeader.get(authorization)
    if (known !== undefined) return known
    const text = bearerToken(authorization)
    if (text === null) return null
    const token = this.#byDigest.get(hash('sha256', text)) ?? null
    if (token !== null && authorization === `Bearer ${text}`) {
      // A string of its own: a part of the head would keep all of it in memory.
      this.#byHeader.set(`Bearer ${text}`, token)
    }
    return token
  }

  /** The token that signs under this id; null: none does. */
  signer(id: number): Caller | null {
    return this.#signing.get(id) ?? null
  }

  /** For the rare request that is tried as a client: looks at one token after the other. */
  withId(id: number): Caller | null {
    for (const token of this.#byDigest.values()) if (token.tokenId === id) return token
    return null
  }

  /** Those that there are of these ids, in one look at all. */
  withIds(ids: ReadonlySet<number>): Map<number, Caller> {
    const found = new Map<number, Caller>()
    if (ids.size === 0) return found
    for (const token of this.#byDigest.values())
      if (token.tokenId !== null && ids.has(token.tokenId)) found.set(token.tokenId, token)
    return found
  }
}

function compileToken(
  token: SnapshotToken,
  byRole: RoleAccess,
  superAdminRoleId: number | null,
): Caller {
  return {
    tokenId: token.id,
    // All tokens of one user count together: otherwise each new one would bring another quota.
    quotaKey: `u${token.user_id}`,
    logged: `"token_id":${token.id},"user_id":${token.user_id}`,
    jwt: null,
    expiresAtMs: Date.parse(token.expires_at),
    isSuperAdmin: superAdminRoleId !== null && token.role_ids.includes(superAdminRoleId),
    ...rightsOf(token.role_ids.flatMap((role) => byRole.get(role) ?? [])),
    signingSecret: token.signing_secret,
    limits: compileLimits(token.limits),
  }
}

/** The token text of a Bearer header that could be one of ours (`ghp_` and 49 characters), or null. */
function bearerToken(authorization: string): string | null {
  return /^bearer +(ghp_[\w-]{49}) *$/i.exec(authorization)?.[1] ?? null
}

/** Whether it may hold a token of ours, personal or of a session, however it is written. */
export function holdsToken(authorization: string): boolean {
  return /gh[psa]_[\w-]{40}/i.test(authorization)
}
