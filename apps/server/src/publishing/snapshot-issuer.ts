import { snapshotIssuer, type SnapshotIssuer } from '@gatehouse/contract'
import { algorithmsOf, keysOf } from '../features/issuers/issuer-columns.ts'
import type { IssuerWithRoles } from '../features/issuers/issuer-store.ts'

/** An issuer as the gateway believes it; undefined where only hands can have written it so. */
export function toSnapshotIssuer(row: IssuerWithRoles): SnapshotIssuer | undefined {
  const { id, name, issuer, audience, skew_seconds, role_claim } = row
  try {
    return snapshotIssuer.parse({
      id,
      name,
      issuer,
      audience,
      algorithms: algorithmsOf(row),
      skew_seconds,
      role_claim,
      roles: row.roles.map(({ value, role_id }) => ({ value, role_id })),
      keys: keysOf(row),
    })
  } catch {
    return undefined
  }
}
