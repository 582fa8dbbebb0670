import { keepSecrets } from './secret-fields.ts'
import { credentialFields, signInUrl, splitSecrets } from './stored-credential.ts'
import type { StoredCredential } from './stored-credential.ts'

/** What is wrong with a field, by its path inside the credential. */
export interface FieldProblem {
  path: (string | number)[]
  message: string
}

export type Merged<T> = { ok: true; value: T } | { ok: false; problems: FieldProblem[] }

interface MergeOptions {
  /** The API's own address has changed: a stored secret would go elsewhere. */
  isMoved?: boolean
}

/**
 * A credential as it is saved: secrets that were left blank are the stored ones, if kind and address
 * are the same. A stored secret is sent only to the address that it was entered for. Problems
 * name the secrets that have to be entered.
 */
export function mergeKept(
  given: StoredCredential,
  stored: StoredCredential | undefined,
  { isMoved = false }: MergeOptions = {},
): Merged<StoredCredential> {
  const isSameKind = stored !== undefined && stored.kind === given.kind
  const isElsewhere = isSameKind && (isMoved || hrefOf(given) !== hrefOf(stored))
  const merged =
    isSameKind && !isElsewhere
      ? keepSecrets({ ...given }, { ...stored }, credentialFields[given.kind])
      : { ...given }
  const value = withoutUnused(merged as unknown as StoredCredential)
  const problems = isElsewhere ? lostSecrets(value, stored) : missingSecrets(value)
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value }
}

const hrefOf = (credential: StoredCredential) => URL.parse(signInUrl(credential) ?? '')?.href

/** A secret of the way of authentication that was not chosen is not kept. */
function withoutUnused(credential: StoredCredential): StoredCredential {
  if (credential.kind !== 'oauth2_client_credentials') return credential
  return credential.client_authentication === 'private_key_jwt'
    ? { ...credential, client_secret: '' }
    : { ...credential, private_key: '' }
}

/** Stored secrets that would be lost silently, because they may not go to the new address. */
function lostSecrets(given: StoredCredential, stored: StoredCredential): FieldProblem[] {
  const before = splitSecrets(stored).secrets
  const after = splitSecrets(withoutUnused(given)).secrets
  const lost = Object.keys(before)
    .filter((place) => after[place] === undefined && !place.includes('.'))
    .map((field) => ({
      path: [field],
      message: `The address has changed: enter the ${labelOf(field)} again.`,
    }))
  const known = new Set(lost.map(({ path }) => String(path)))
  return [...lost, ...missingSecrets(given).filter(({ path }) => !known.has(String(path)))]
}

const labelOf = (field: string) => field.replaceAll('_', ' ')

function missingSecrets(credential: StoredCredential): FieldProblem[] {
  const needed = (field: string, value: string) =>
    value === '' ? [{ path: [field], message: `The ${labelOf(field)} field is required.` }] : []
  const values = (headers: { value: string }[]) =>
    headers.flatMap(({ value }, at) =>
      value === ''
        ? [{ path: ['headers', at, 'value'], message: 'The value field is required.' }]
        : [],
    )
  switch (credential.kind) {
    case 'bearer':
      return needed('token', credential.token)
    case 'basic':
      return needed('password', credential.password)
    case 'headers':
      return values(credential.headers)
    case 'oauth2_client_credentials':
      return credential.client_authentication === 'private_key_jwt'
        ? needed('private_key', credential.private_key)
        : needed('client_secret', credential.client_secret)
    case 'oauth2_refresh_token':
      // A public client has no secret (RFC 6749 §2.1).
      return needed('refresh_token', credential.refresh_token)
    case 'login_call':
    default:
      return values(credential.headers)
  }
}
