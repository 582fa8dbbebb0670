import { createHash } from 'node:crypto'
import type { TokenCredential } from '@gatehouse/contract'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { SignInPlace, SignInRow } from './sign-in-store.ts'

type SealedField = 'credential_seal' | 'token_encrypted' | 'refresh_token_encrypted'

/** Encrypts the parts of a row, each for its place. */
export class SignInSecrets {
  readonly #box: SecretBox

  constructor(box: SecretBox) {
    this.#box = box
  }

  seal(place: SignInPlace, field: SealedField, plain: string): string {
    return this.#box.seal(plain, placeOf(place, field))
  }

  /** Undefined where there is nothing, or where it can't be opened: it is then obtained again. */
  open(row: SignInRow, field: SealedField): string | undefined {
    const sealed = row[field]
    if (sealed === null) return undefined
    try {
      return this.#box.open(sealed, placeOf({ apiId: row.api_id, which: row.which }, field))
    } catch {
      return undefined
    }
  }
}

const placeOf = ({ apiId, which }: SignInPlace, field: string) => ({
  table: 'sign_in_token',
  row: apiId,
  field: `${which}.${field}`,
})

/** What a token, and a chain of refresh tokens, depend on. Neither can be worked out from these. */
interface Fingerprints {
  token: string
  refresh: string
}

/** A change of how the token is sent changes neither. */
export function fingerprintsOf(credential: TokenCredential): Fingerprints {
  const { refused_when: _rule, ...rest } = credential
  const parts: Record<string, unknown> = rest
  const token = Object.entries(parts).filter(([field]) => field !== 'scheme' && field !== 'send_as')
  const refresh =
    credential.kind === 'oauth2_refresh_token'
      ? [credential.token_url, credential.client_id, credential.refresh_token]
      : []
  return { token: digest(token.toSorted()), refresh: digest(refresh) }
}

const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** Undefined where the row belongs to no credential. */
export function readFingerprints(text: string | undefined): Fingerprints | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Fingerprints)
}
