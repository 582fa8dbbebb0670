import type { SnapshotIssuer } from '@gatehouse/contract/gateway'
import { LRUCache } from 'lru-cache'
import { rightsOf, type Caller, type RoleAccess, type RoleRights } from './caller.ts'
import { compileKey } from './jwt-signature.ts'
import { claimValues } from '@gatehouse/contract/role-claim'
import { readJwt, verifyJwt, type ReadJwt, type VerifyingIssuer } from './verify-jwt.ts'

/** Characters of all tokens that are remembered, of each worker; beyond that, those unused for longest go. */
const rememberedMax = 4 * 1024 * 1024

interface CompiledIssuer extends VerifyingIssuer {
  readonly id: number
  readonly name: string
  readonly roleClaim: string
  readonly roles: readonly { readonly value: string; readonly rights: RoleRights }[]
}

/** A token that says that it is of an issuer that is trusted, and does not count. */
interface RefusedJwt {
  /** Which issuer and why, for the log; nothing of the token. */
  readonly detail: string
  /** The issuer, where the token names a key that it is not known to have. */
  readonly unknownKeyOf: number | null
}

/**
 * The issuers of one snapshot, and the JWTs of theirs that were verified. Such a token counts until it expires,
 * or until another snapshot changes issuers or roles: a key that was taken back is refused from then on.
 */
export class IssuerIndex {
  readonly #issuers: ReadonlyMap<string, CompiledIssuer>
  readonly #verified = new LRUCache<string, Caller>({
    maxSize: rememberedMax,
    sizeCalculation: (_, authorization) => authorization.length,
  })

  constructor(issuers: readonly SnapshotIssuer[], byRole: RoleAccess) {
    this.#issuers = new Map(issuers.map((each) => [each.issuer, compileIssuer(each, byRole)]))
  }

  /** Who shows this Authorization header; null: it holds no JWT of any of these issuers. */
  find(authorization: string, nowMs: number): Caller | RefusedJwt | null {
    const known = this.#verified.get(authorization)
    if (known !== undefined) return known
    const text = /^bearer +([\w.-]+) *$/i.exec(authorization)?.[1]
    const jwt = text === undefined ? undefined : readJwt(text)
    const { iss } = jwt?.claims ?? {}
    const issuer = typeof iss === 'string' ? this.#issuers.get(iss) : undefined
    if (jwt === undefined || issuer === undefined) return null
    const verdict = verifyJwt(jwt, issuer, nowMs)
    if (!verdict.ok) {
      const { problem } = verdict
      const detail = `A JWT of ${issuer.name} was refused: ${problem}`
      return { detail, unknownKeyOf: problem === 'unknown_key' ? issuer.id : null }
    }
    const caller = toCaller(jwt, issuer, verdict.expiresAtMs)
    // A string of its own: a part of the head would keep all of it in memory.
    this.#verified.set(Buffer.from(authorization, 'latin1').toString('latin1'), caller)
    return caller
  }
}

function compileIssuer(issuer: SnapshotIssuer, byRole: RoleAccess): CompiledIssuer {
  const { id, name, audience, skew_seconds, role_claim, roles, keys, algorithms } = issuer
  return {
    id,
    name,
    audience,
    skewMs: skew_seconds * 1_000,
    keys: keys.flatMap((key) => compileKey(key, algorithms) ?? []),
    roleClaim: role_claim,
    roles: roles.flatMap(({ value, role_id }) => {
      const rights = byRole.get(role_id)
      return rights === undefined ? [] : [{ value, rights }]
    }),
  }
}

/** Never a Super Admin: a claim gives roles alone. */
function toCaller(
  { claims }: ReadJwt,
  { id, name, roleClaim, roles }: CompiledIssuer,
  expiresAtMs: number,
): Caller {
  const values = claimValues(claims, roleClaim)
  const subject = typeof claims['sub'] === 'string' ? claims['sub'] : ''
  return {
    tokenId: null,
    quotaKey: `j${id}:${subject}`,
    logged: `"token_id":null,"issuer_id":${id},"subject":${JSON.stringify(subject)}`,
    jwt: { issuer: name, subject },
    expiresAtMs,
    isSuperAdmin: false,
    ...rightsOf(roles.flatMap(({ value, rights }) => (values.has(value) ? [rights] : []))),
    signingSecret: null,
    limits: null,
  }
}
