import type { IssuerRecord } from '@gatehouse/contract'
import { readRow } from '../../db/tables/column.ts'
import { issuerForm } from '../../db/tables/people/token-issuers.ts'
import type { IssuerRow, IssuerWithRoles } from './issuer-store.ts'
import { kindOfKey, type IssuerKey } from './read-keys.ts'

export const keysOf = ({ keys }: Pick<IssuerRow, 'keys'>) => JSON.parse(keys) as IssuerKey[]

export function toIssuerRecord(row: IssuerWithRoles): IssuerRecord {
  const { id, keys_read_at, keys_problem, user_name, updated_at, version } = row
  return {
    id,
    ...readRow(issuerForm, row),
    roles: row.roles.map(({ value, role_id, role }) => ({ value, role_id, role })),
    keys: keysOf(row).map((key) => ({
      kid: key.kid,
      kind: kindOfKey(key),
      algorithms: key.algorithms,
    })),
    keys_read_at,
    keys_problem,
    user_name,
    updated_at,
    version,
  }
}

/** What the audit trail keeps of an issuer: there is no secret in it. */
export function auditedIssuer(row: IssuerWithRoles): Record<string, unknown> {
  const {
    id: _,
    keys,
    keys_read_at: _read,
    keys_problem: _problem,
    ...record
  } = toIssuerRecord(row)
  const { user_name: _user, updated_at: _at, version: _version, ...definition } = record
  const roles = definition.roles.map(({ value, role }) => `${value}: ${role}`)
  return { ...definition, roles, keys: keys.map(({ kid, kind }) => kid ?? kind) }
}
