import type { IssuerRecord, JwtAlgorithm } from '@gatehouse/contract'
import type { UseFormReturnType } from '@mantine/form'
import type { ClaimedRole } from '../../entities/role/claimed-roles.tsx'
import type { IssuerBody } from './issuer-queries.ts'

export interface IssuerValues extends Record<string, unknown> {
  name: string
  is_active: boolean
  issuer: string
  audience: string
  keys_from: 'address' | 'text'
  jwks_url: string
  jwks: string
  algorithms: JwtAlgorithm[]
  skew_seconds: number | string
  role_claim: string
  roles: ClaimedRole[]
}

export type IssuerForm = UseFormReturnType<IssuerValues>

/** What each signature is, for a person who has to choose. */
export const algorithmWords: Record<JwtAlgorithm, string> = {
  RS256: 'RS256: RSA, SHA-256',
  RS384: 'RS384: RSA, SHA-384',
  RS512: 'RS512: RSA, SHA-512',
  PS256: 'PS256: RSA-PSS, SHA-256',
  PS384: 'PS384: RSA-PSS, SHA-384',
  PS512: 'PS512: RSA-PSS, SHA-512',
  ES256: 'ES256: ECDSA, P-256',
  ES384: 'ES384: ECDSA, P-384',
  ES512: 'ES512: ECDSA, P-521',
  EdDSA: 'EdDSA: Ed25519',
}

export const newIssuerValues = (): IssuerValues => ({
  name: '',
  is_active: true,
  issuer: '',
  audience: '',
  keys_from: 'address',
  jwks_url: '',
  jwks: '',
  algorithms: ['RS256', 'ES256'],
  skew_seconds: 60,
  role_claim: 'roles',
  roles: [{ value: '', role_id: null }],
})

export const toIssuerValues = (record: IssuerRecord): IssuerValues => ({
  name: record.name,
  is_active: record.is_active,
  issuer: record.issuer,
  audience: record.audience,
  keys_from: record.jwks_url === '' ? 'text' : 'address',
  jwks_url: record.jwks_url,
  jwks: record.jwks,
  algorithms: record.algorithms,
  skew_seconds: record.skew_seconds,
  role_claim: record.role_claim,
  roles: record.roles.map(({ value, role_id }) => ({ value, role_id: String(role_id) })),
})

/** Of address and keys, only what is shown is sent. */
export function toIssuerBody(values: IssuerValues, version?: number): IssuerBody {
  const { keys_from, jwks_url, jwks, roles, name, is_active, issuer, audience } = values
  return {
    name,
    is_active,
    issuer,
    audience,
    jwks_url: keys_from === 'address' ? jwks_url : '',
    jwks: keys_from === 'text' ? jwks : '',
    algorithms: values.algorithms,
    skew_seconds: values.skew_seconds,
    role_claim: values.role_claim,
    roles: roles.map(({ value, role_id }) => ({ value, role_id: Number(role_id ?? 0) })),
    ...(version === undefined ? {} : { version }),
  }
}
