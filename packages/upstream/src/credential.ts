import { secretTextsOf } from '@gatehouse/contract/credential'
import type { StoredCredential, TokenCredential } from '@gatehouse/contract/credential'
import type { HttpAnswer } from './http/http-answer.ts'

/** What an API shows its upstream (spec: sign-in). */
export type Credential = { kind: 'none' } | StoredCredential

/** A credential that is sent as it is, without a token that has to be obtained first. */
type StaticCredential = Exclude<Credential, TokenCredential>

export const noCredential: StaticCredential = { kind: 'none' }

/** A token with the scheme `Bearer`. Blank: no credential. */
export const bearer = (token: string | null | undefined): StaticCredential =>
  token ? { kind: 'bearer', token, scheme: 'Bearer', refused_when: null } : noCredential

/** A credential as one call carries it. */
export interface SignedIn {
  /** Names and values of the header fields to send. */
  headers: readonly (readonly [name: string, value: string])[]
  /** What must not be stored or shown: secrets and everything derived from them. */
  secrets: readonly string[]
}

const notSignedIn: SignedIn = { headers: [], secrets: [] }

/** The header fields of a static credential. */
export function signedIn(credential: StaticCredential): SignedIn {
  switch (credential.kind) {
    case 'none':
      return notSignedIn
    case 'bearer':
      return authorization(credential, credential.token, credential.scheme)
    case 'basic': {
      // RFC 7617 §2.1: UTF-8, which is the only charset that it names.
      const pair = Buffer.from(`${credential.username}:${credential.password}`).toString('base64')
      return authorization(credential, pair, 'Basic')
    }
    case 'headers': {
      const headers = credential.headers.map(({ name, value }) => [name, value] as const)
      return { headers, secrets: secretsOf(credential) }
    }
    default:
      return credential satisfies never
  }
}

/** The header fields of a credential whose token was obtained from an authority. */
export function signedInWith(credential: TokenCredential, token: string): SignedIn {
  if (credential.kind !== 'login_call') return authorization(credential, token, credential.scheme)
  const headers = credential.send_as.map(
    ({ name, value }) => [name, value.replaceAll('{token}', token)] as const,
  )
  return { headers, secrets: [token, ...secretsOf(credential)] }
}

const authorization = (credential: StoredCredential, token: string, scheme: string): SignedIn => ({
  headers: [['Authorization', `${scheme} ${token}`]],
  secrets: [token, ...secretsOf(credential)],
})

/** Everything secret of a credential: its fields, and each value in the body of a login call. */
export function secretsOf(credential: Credential): string[] {
  if (credential.kind === 'none') return []
  const texts = secretTextsOf(credential)
  return credential.kind === 'login_call' ? [...texts, ...valuesIn(credential.body)] : texts
}

/** Fields of a login that are words of OAuth (RFC 6749), and not secret. */
const openFields = new Set(['grant_type', 'response_type', 'scope', 'audience'])

/** The texts in a body, which is JSON or a form. */
function valuesIn(body: string): string[] {
  const values: string[] = []
  try {
    JSON.parse(body, (name, value: unknown) => {
      if (typeof value === 'string' && !openFields.has(name)) values.push(value)
      return value
    })
  } catch {
    for (const [name, value] of new URLSearchParams(body)) {
      if (!openFields.has(name)) values.push(value)
    }
  }
  return values
}

/** A shorter secret may occur in any text, and masking it would reveal it. */
const maskedMinLength = 8
const credentialMask = '[credential]'

/** The text without the secrets, also where they are written in base64, in a URL or in JSON. */
export function mask(text: string, secrets: readonly string[]): string {
  return maskForms(text, formsOf(secrets))
}

/**
 * An upstream may echo our own request. Store and show only this answer: a user with the permission
 * to fetch must not read the credential.
 */
export function maskAnswer(answer: HttpAnswer, secrets: readonly string[]): HttpAnswer {
  const forms = formsOf(secrets)
  if (forms.length === 0) return answer
  const clean = (text: string) => maskForms(text, forms)
  if (!answer.ok) return { ...answer, detail: clean(answer.detail) }
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name, clean(value)]),
  )
  const body = forms.some((form) => answer.body.includes(form))
    ? Buffer.from(clean(answer.body.toString('utf8')))
    : answer.body
  return { ...answer, headers, body }
}

const maskForms = (text: string, forms: readonly string[]) =>
  forms.reduce((masked, form) => masked.replaceAll(form, credentialMask), text)

/** Longer forms first: one may hold another. */
function formsOf(secrets: readonly string[]): string[] {
  const forms = secrets
    .filter(({ length }) => length >= maskedMinLength)
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      encodeURI(secret),
      JSON.stringify(secret).slice(1, -1),
      ...base64Of(secret),
    ])
  return [...new Set(forms)].toSorted((one, other) => other.length - one.length)
}

/**
 * With and without padding, and as it is inside a longer text: what it alone decides, wherever in a group of
 * three bytes it begins. In the alphabet of RFC 4648 §4 and in that for URLs (§5).
 */
function base64Of(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const padded = bytes.toString('base64')
  const inner = [0, 2, 3].map((from, shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes])
    return shifted.toString('base64').slice(from, Math.floor((shifted.length * 8) / 6))
  })
  return [padded, padded.replace(/=+$/, ''), ...inner].flatMap((text) => [
    text,
    text.replaceAll('+', '-').replaceAll('/', '_'),
  ])
}
