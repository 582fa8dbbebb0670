import type { SnapshotRole } from '@gatehouse/contract/gateway'
import { ClientAddresses } from '@gatehouse/upstream/http'
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
  /** From which addresses each of them counts (null: from everywhere); null: none of them is limited so. */
  readonly roleAddresses: readonly (ClientAddresses | null)[] | null
  /** With which its requests are signed; null: it signs none. */
  readonly signingSecret: string | null
  /** Null: nothing limits it but its roles. */
  readonly limits: CallerLimits | null
}

export interface RoleRights {
  readonly endpoints: ReadonlySet<number>
  /** Null: it counts from everywhere. */
  readonly addresses: ClientAddresses | null
}

/** What may be called with each role, by its id. */
export type RoleAccess = ReadonlyMap<number, RoleRights>

export const compileRole = ({ endpoint_ids, addresses }: SnapshotRole): RoleRights => ({
  endpoints: new Set(endpoint_ids),
  addresses: addresses === undefined ? null : new ClientAddresses({ allow: addresses, deny: [] }),
})

/** What a caller may do who has these roles. */
export const rightsOf = (
  roles: readonly RoleRights[],
): Pick<Caller, 'access' | 'roleAddresses'> => ({
  access: roles.map(({ endpoints }) => endpoints),
  roleAddresses: roles.some(({ addresses }) => addresses !== null)
    ? roles.map(({ addresses }) => addresses)
    : null,
})
