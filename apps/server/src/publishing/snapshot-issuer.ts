import { snapshotIssuer, type SnapshotIssuer } from '@gatehouse/contract'
import { readRow } from '../db/tables/column.ts'
import { issuerForm } from '../db/tables/people/token-issuers.ts'
import { keysOf } from '../features/issuers/issuer-columns.ts'
import type { IssuerWithRoles } from '../features/issuers/issuer-store.ts'

/** An issuer as the gateway believes it; undefined where only hands can have written it so. */
export function toSnapshotIssuer(row: IssuerWithRoles): SnapshotIssuer | undefined {
  const { id } = row
  try {
    const { name, issuer, audience, algorithms, skew_seconds, role_claim } = readRow(
      issuerForm,
      row,
    )
    return snapshotIssuer.parse({
      id,
      name,
      issuer,
      audience,
      algorithms,
      skew_seconds,
      role_claim,
      roles: row.roles.map(({ value, role_id }) => ({ value, role_id })),
      keys: keysOf(row),
    })
  } catch {
    return undefined
  }
}
