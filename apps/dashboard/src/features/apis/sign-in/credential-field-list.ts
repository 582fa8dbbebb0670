import { assertionAlgorithms, type CredentialKind } from '@gatehouse/contract/credential'
import type { CredentialDraft } from './credential-draft.ts'

type FieldsOf<T> = {
  [F in keyof CredentialDraft]: CredentialDraft[F] extends T ? F : never
}[keyof CredentialDraft]
type TextField = FieldsOf<string>
type ListField = Exclude<FieldsOf<object[]>, 'storedSecrets'>

interface Common {
  label: string
  description?: string
  placeholder?: string
  /** Takes the whole width. */
  isWide?: boolean
  isShown?: (draft: CredentialDraft) => boolean
}

export type CredentialField = Common &
  (
    | { input: 'text' | 'secret' | 'secret_text'; field: TextField }
    | { input: 'choice'; field: TextField; choices: { value: string; label: string }[] }
    | { input: 'values' | 'secret_values'; field: ListField; noun: string; max: number }
  )

interface KindFields {
  label: string
  fields: readonly CredentialField[]
  /** Fields that few authorities need. */
  more: readonly CredentialField[]
}

const scheme: CredentialField = {
  input: 'text',
  field: 'scheme',
  label: 'Scheme',
  placeholder: 'Bearer',
  description: 'Precedes the token in Authorization.',
}

const usesKey = ({ client_authentication }: CredentialDraft) =>
  client_authentication === 'private_key_jwt'

const tokenUrl: CredentialField = {
  input: 'text',
  field: 'token_url',
  label: 'Token URL',
  placeholder: 'https://id.example.com/connect/token',
  isWide: true,
}
const clientId: CredentialField = { input: 'text', field: 'client_id', label: 'Client ID' }
const clientAuthentications = [
  { value: 'basic', label: 'Basic header' },
  { value: 'body', label: 'In the body' },
]
const clientSecret: CredentialField = {
  input: 'secret',
  field: 'client_secret',
  label: 'Client secret',
}
const oauthFields: readonly CredentialField[] = [
  { input: 'text', field: 'scope', label: 'Scope' },
  { input: 'text', field: 'audience', label: 'Audience' },
]
const oauthMore: readonly CredentialField[] = [
  {
    input: 'values',
    field: 'body_fields',
    label: 'Further fields of the token request',
    noun: 'field',
    max: 20,
  },
  {
    input: 'values',
    field: 'login_headers',
    label: 'Headers of the token request',
    noun: 'header',
    max: 10,
  },
  scheme,
]

/** What each kind of sign-in asks for, in the order of the form (spec: sign-in). */
export const credentialKindFields: Record<CredentialKind, KindFields> = {
  bearer: {
    label: 'Bearer token',
    fields: [{ input: 'secret', field: 'token', label: 'Token' }, scheme],
    more: [],
  },
  basic: {
    label: 'User name and password (Basic)',
    fields: [
      { input: 'text', field: 'username', label: 'User name' },
      { input: 'secret', field: 'password', label: 'Password' },
    ],
    more: [],
  },
  headers: {
    label: 'Secret headers',
    fields: [
      { input: 'secret_values', field: 'headers', label: 'Headers', noun: 'header', max: 10 },
    ],
    more: [],
  },
  oauth2_client_credentials: {
    label: 'OAuth 2: client credentials',
    fields: [
      tokenUrl,
      clientId,
      {
        input: 'choice',
        field: 'client_authentication',
        label: 'The client authenticates by',
        choices: [
          ...clientAuthentications,
          { value: 'private_key_jwt', label: 'Signed assertion (private key)' },
        ],
      },
      { ...clientSecret, isShown: (draft) => !usesKey(draft) },
      {
        input: 'secret_text',
        field: 'private_key',
        label: 'Private key (PEM)',
        placeholder: '-----BEGIN PRIVATE KEY-----',
        isWide: true,
        isShown: usesKey,
      },
      { input: 'text', field: 'key_id', label: 'Key ID', isShown: usesKey },
      {
        input: 'choice',
        field: 'algorithm',
        label: 'Algorithm',
        choices: assertionAlgorithms.map((value) => ({ value, label: value })),
        isShown: usesKey,
      },
      ...oauthFields,
    ],
    more: oauthMore,
  },
  oauth2_refresh_token: {
    label: 'OAuth 2: refresh token',
    fields: [
      tokenUrl,
      clientId,
      {
        input: 'choice',
        field: 'client_authentication',
        label: 'The client authenticates by',
        choices: clientAuthentications,
      },
      clientSecret,
      {
        input: 'secret',
        field: 'refresh_token',
        label: 'Refresh token',
        description: 'Where the authority sends a new one, the new one is kept.',
      },
      ...oauthFields,
    ],
    more: oauthMore,
  },
  login_call: {
    label: 'Login call',
    fields: [
      {
        input: 'text',
        field: 'url',
        label: 'Login URL',
        placeholder: 'https://erp.example.com/login',
        description: 'Called with POST.',
        isWide: true,
      },
      { input: 'text', field: 'content_type', label: 'Content type', isWide: true },
      {
        input: 'secret_text',
        field: 'body',
        label: 'Body',
        placeholder: '{"user": "…", "password": "…"}',
        isWide: true,
      },
      {
        input: 'text',
        field: 'token_path',
        label: 'Token path',
        placeholder: 'data.token',
        description: 'Where the token is in the answer.',
      },
      {
        input: 'text',
        field: 'expires_path',
        label: 'Expiry path',
        placeholder: 'data.expires_in',
        description: 'Blank: the answer does not say.',
      },
      {
        input: 'text',
        field: 'lifetime_seconds',
        label: 'Lifetime (seconds)',
        description: 'Where the answer does not say. Blank: 5 minutes.',
      },
      {
        input: 'values',
        field: 'send_as',
        label: 'Sent with each call',
        description: '{token} in a value is the token.',
        noun: 'header',
        max: 10,
      },
    ],
    more: [
      {
        input: 'secret_values',
        field: 'headers',
        label: 'Headers of the login call',
        noun: 'login header',
        max: 10,
      },
    ],
  },
}
