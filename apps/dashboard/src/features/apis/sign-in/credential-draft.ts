import type { AnswerRule, CredentialInput, ShownCredential } from '@gatehouse/contract'
import { credentialFields, type CredentialKind } from '@gatehouse/contract/credential'
import { blankRule, isBlankRule } from '../../../entities/answer-rule/blank-rule.ts'
import type { NamedValue } from '../../../ui/text/named-values.tsx'

/**
 * A credential as the form holds it: the fields of all kinds, so that nothing typed is lost when the
 * kind changes. Secrets start blank, which keeps what is stored.
 */
export interface CredentialDraft {
  /** Blank: the API needs no sign-in. */
  kind: CredentialKind | ''
  token: string
  scheme: string
  username: string
  password: string
  headers: NamedValue[]
  token_url: string
  client_id: string
  client_authentication: string
  client_secret: string
  private_key: string
  key_id: string
  algorithm: string
  refresh_token: string
  scope: string
  audience: string
  body_fields: NamedValue[]
  login_headers: NamedValue[]
  url: string
  content_type: string
  body: string
  token_path: string
  expires_path: string
  lifetime_seconds: string
  send_as: NamedValue[]
  /** Which answers besides 401 refuse the sign-in; blank: none. */
  refused_when: AnswerRule
  /** The stored credential: its kind, and which of its secrets are stored. */
  storedKind: CredentialKind | ''
  storedSecrets: string[]
}

export const noCredential: CredentialDraft = {
  kind: '',
  token: '',
  scheme: '',
  username: '',
  password: '',
  headers: [],
  token_url: '',
  client_id: '',
  client_authentication: 'basic',
  client_secret: '',
  private_key: '',
  key_id: '',
  algorithm: 'RS256',
  refresh_token: '',
  scope: '',
  audience: '',
  body_fields: [],
  login_headers: [],
  url: '',
  content_type: 'application/json',
  body: '',
  token_path: '',
  expires_path: '',
  lifetime_seconds: '',
  send_as: [{ name: 'Authorization', value: 'Bearer {token}' }],
  refused_when: blankRule,
  storedKind: '',
  storedSecrets: [],
}

export function toCredentialDraft(shown: ShownCredential | null): CredentialDraft {
  if (shown === null) return noCredential
  const { kind, refused_when, ...fields } = shown
  const entries = Object.entries(fields)
  const storedSecrets = entries.flatMap(([field, value]) =>
    field.startsWith('has_') && value === true ? [field.slice('has_'.length)] : [],
  )
  const open = entries.flatMap(([field, value]) =>
    field.startsWith('has_') ? [] : [[field, toFieldValue(value)] as const],
  )
  return {
    ...noCredential,
    ...Object.fromEntries(open),
    kind,
    refused_when: refused_when ?? blankRule,
    storedKind: kind,
    storedSecrets,
  }
}

interface ShownValue {
  name: string
  value?: string
  has_value?: boolean
}

function toFieldValue(value: unknown): string | NamedValue[] {
  if (typeof value === 'number') return String(value)
  if (!Array.isArray(value)) return typeof value === 'string' ? value : ''
  return (value as ShownValue[]).map(({ name, value: shown = '', has_value = false }) => ({
    name,
    value: shown,
    ...(has_value ? { isStored: true } : {}),
  }))
}

/** What the call takes: the fields of the chosen kind; null for none. */
export function toCredentialInput(draft: CredentialDraft): CredentialInput | null {
  if (draft.kind === '') return null
  const fields = Object.keys(credentialFields[draft.kind]) as (keyof CredentialDraft)[]
  const own = fields.map((field) => [field, toWire(draft[field])] as const)
  // The server checks it whole: which fields a kind has is the contract's table.
  const refused_when = isBlankRule(draft.refused_when) ? null : draft.refused_when
  return { ...Object.fromEntries(own), kind: draft.kind, refused_when } as CredentialInput
}

function toWire(value: CredentialDraft[keyof CredentialDraft]): unknown {
  if (!Array.isArray(value)) return value
  return value.map((each) =>
    typeof each === 'string' ? each : { name: each.name, value: each.value },
  )
}

/** Whether a secret is stored that a blank field would keep. */
export const isSecretStored = (draft: CredentialDraft, field: string): boolean =>
  draft.storedKind === draft.kind && draft.storedSecrets.includes(field)
