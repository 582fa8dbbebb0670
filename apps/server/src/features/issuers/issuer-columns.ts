import type { IssuerInput, IssuerRecord, JwtAlgorithm } from '@gatehouse/contract'
import type { IssuerRow, IssuerWithRoles } from './issuer-store.ts'
import { kindOfKey, type IssuerKey } from './read-keys.ts'

/** What a form gives of an issuer. Its keys are another matter. */
export const toColumns = (input: IssuerInput) => ({
  name: input.name,
  is_active: input.is_active ? (1 as const) : (0 as const),
  issuer: input.issuer,
  audience: input.audience,
  jwks_url: input.jwks_url,
  jwks: input.jwks,
  algorithms: JSON.stringify(input.algorithms),
  skew_seconds: input.skew_seconds,
  role_claim: input.role_claim,
})

export const keysOf = ({ keys }: Pick<IssuerRow, 'keys'>) => JSON.parse(keys) as IssuerKey[]

export const algorithmsOf = ({ algorithms }: Pick<IssuerRow, 'algorithms'>) =>
  JSON.parse(algorithms) as JwtAlgorithm[]

export function toIssuerRecord(row: IssuerWithRoles): IssuerRecord {
  const { id, name, issuer, audience, jwks_url, jwks, skew_seconds, role_claim, version } = row
  return {
    id,
    name,
    is_active: row.is_active === 1,
    issuer,
    audience,
    jwks_url,
    jwks,
    algorithms: algorithmsOf(row),
    skew_seconds,
    role_claim,
    roles: row.roles.map(({ value, role_id, role }) => ({ value, role_id, role })),
    keys: keysOf(row).map((key) => ({
      kid: key.kid,
      kind: kindOfKey(key),
      algorithms: key.algorithms,
    })),
    keys_read_at: row.keys_read_at,
    keys_problem: row.keys_problem,
    user_name: row.user_name,
    updated_at: row.updated_at,
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
