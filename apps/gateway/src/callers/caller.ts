import type { CallerLimits } from './token-limits.ts'

/** Who makes a request, as the stages know it. */
export interface Caller {
  /** The personal token that was shown; null: another kind of proof. */
  readonly tokenId: number | null
  /** What limits per client count it as. */
  readonly quotaKey: string
  /** Its fields of the access log, as JSON without the braces. */
  readonly logged: string
  /** Who it is by a JWT, for a trace; null: a personal token was shown. */
  readonly jwt: { readonly issuer: string; readonly subject: string } | null
  readonly expiresAtMs: number
  readonly isSuperAdmin: boolean
  /** The endpoints of each of its roles. */
  readonly access: readonly ReadonlySet<number>[]
  /** With which its requests are signed; null: it signs none. */
  readonly signingSecret: string | null
  /** Null: nothing limits it but its roles. */
  readonly limits: CallerLimits | null
}

/** What may be called with each role, by its id. */
export type RoleAccess = ReadonlyMap<number, ReadonlySet<number>>
