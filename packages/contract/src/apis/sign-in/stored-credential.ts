import type { AnswerRule } from '../../endpoints/answer-rule.ts'
import type { NamedValue } from './outgoing-header.ts'
import { joinFields, splitFields } from './secret-fields.ts'
import type { SecrecyOf, SecretTexts, Shown } from './secret-fields.ts'

export const credentialKinds = [
  'bearer',
  'basic',
  'headers',
  'oauth2_client_credentials',
  'oauth2_refresh_token',
  'login_call',
] as const
export type CredentialKind = (typeof credentialKinds)[number]

export const clientAuthentications = ['basic', 'body', 'private_key_jwt'] as const
type ClientAuthentication = (typeof clientAuthentications)[number]

/** Algorithms of a client assertion (RFC 7518 §3.1, RFC 8037). */
export const assertionAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const
type AssertionAlgorithm = (typeof assertionAlgorithms)[number]

interface Common {
  /** Answers beside 401 that mean a refused sign-in; null: none. */
  refused_when: AnswerRule | null
}

interface BearerCredential extends Common {
  kind: 'bearer'
  token: string
  /** Precedes the token in Authorization. */
  scheme: string
}

interface BasicCredential extends Common {
  kind: 'basic'
  username: string
  password: string
}

interface HeadersCredential extends Common {
  kind: 'headers'
  headers: NamedValue[]
}

interface TokenEndpoint extends Common {
  token_url: string
  client_id: string
  client_secret: string
  scope: string
  audience: string
  body_fields: NamedValue[]
  login_headers: NamedValue[]
  scheme: string
}

export interface ClientCredentials extends TokenEndpoint {
  kind: 'oauth2_client_credentials'
  client_authentication: ClientAuthentication
  /** PEM; blank unless the client authenticates by `private_key_jwt`. */
  private_key: string
  key_id: string
  algorithm: AssertionAlgorithm
}

export interface RefreshTokenCredential extends TokenEndpoint {
  kind: 'oauth2_refresh_token'
  client_authentication: Exclude<ClientAuthentication, 'private_key_jwt'>
  refresh_token: string
}

export interface LoginCallCredential extends Common {
  kind: 'login_call'
  url: string
  method: 'POST'
  headers: NamedValue[]
  body: string
  content_type: string
  /** Where the token is in the answer. */
  token_path: string
  /** Where the answer says how long it lives: seconds, or a time. Blank: nowhere. */
  expires_path: string
  /** Where the answer does not say; null: unknown. */
  lifetime_seconds: number | null
  /** Headers of later calls, `{token}` in their values. */
  send_as: NamedValue[]
}

/** What an API shows its upstream, whole (spec: sign-in). */
export type StoredCredential =
  | BearerCredential
  | BasicCredential
  | HeadersCredential
  | ClientCredentials
  | RefreshTokenCredential
  | LoginCallCredential

/** The kinds whose token is obtained from an authority, and renewed. */
export type TokenCredential = ClientCredentials | RefreshTokenCredential | LoginCallCredential

export const isTokenKind = (kind: CredentialKind): kind is TokenCredential['kind'] =>
  kind === 'oauth2_client_credentials' || kind === 'oauth2_refresh_token' || kind === 'login_call'

export const isTokenCredential = (credential: StoredCredential): credential is TokenCredential =>
  isTokenKind(credential.kind)

const tokenEndpointFields = {
  refused_when: 'open',
  token_url: 'open',
  client_id: 'open',
  client_secret: 'secret',
  client_authentication: 'open',
  scope: 'open',
  audience: 'open',
  body_fields: 'open',
  login_headers: 'open',
  scheme: 'open',
} as const

/** The one table that says which fields are secret: storage, masking and what is shown follow from it. */
export const credentialFields = {
  bearer: { refused_when: 'open', token: 'secret', scheme: 'open' },
  basic: { refused_when: 'open', username: 'open', password: 'secret' },
  headers: { refused_when: 'open', headers: 'secret_values' },
  oauth2_client_credentials: {
    ...tokenEndpointFields,
    private_key: 'secret',
    key_id: 'open',
    algorithm: 'open',
  },
  oauth2_refresh_token: { ...tokenEndpointFields, refresh_token: 'secret' },
  login_call: {
    refused_when: 'open',
    url: 'open',
    method: 'open',
    headers: 'secret_values',
    body: 'secret',
    content_type: 'open',
    token_path: 'open',
    expires_path: 'open',
    lifetime_seconds: 'open',
    send_as: 'open',
  },
} as const satisfies {
  [K in CredentialKind]: SecrecyOf<Extract<StoredCredential, { kind: K }>>
}

type CredentialFields = typeof credentialFields

/** A credential as it is shown and kept in clear: `has_token: true` instead of `token`. */
export type ShownCredential = {
  [K in CredentialKind]: Shown<Extract<StoredCredential, { kind: K }>, CredentialFields[K]>
}[CredentialKind]

/** Parts a credential for storage: what may be shown, and the secrets, which are to be encrypted. */
export function splitSecrets(whole: StoredCredential): {
  shown: ShownCredential
  secrets: SecretTexts
} {
  const { shown, secrets } = splitFields({ ...whole }, credentialFields[whole.kind])
  return { shown: shown as unknown as ShownCredential, secrets }
}

/** The credential that `splitSecrets` parted. */
export function joinSecrets(shown: ShownCredential, secrets: SecretTexts): StoredCredential {
  const whole = joinFields({ shown: { ...shown }, secrets }, credentialFields[shown.kind])
  return whole as unknown as StoredCredential
}

/** A credential without its secrets, for answers and the audit trail. */
export const showCredential = (whole: StoredCredential): ShownCredential =>
  splitSecrets(whole).shown

/** Every secret text of a credential: what has to be masked wherever it turns up. */
export const secretTextsOf = (whole: StoredCredential): string[] =>
  Object.values(splitSecrets(whole).secrets)

/** The address that a credential's secrets are sent to; undefined: only to the API itself. */
export function signInUrl(credential: StoredCredential): string | undefined {
  if (credential.kind === 'login_call') return credential.url
  return isTokenCredential(credential) ? credential.token_url : undefined
}
