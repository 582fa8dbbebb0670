import {
  joinSecrets,
  joinTls,
  shownCredential,
  shownTls,
  splitSecrets,
  type SecretTexts,
  type ShownApiTls,
  type ShownCredential,
  type SignInPlaceName,
  type StoredCredential,
  type StoredTls,
} from '@gatehouse/contract'
import { bearer } from '@gatehouse/upstream'
import { AppError } from '../../kernel/app-error.ts'
import { readable } from '../../kernel/readable.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { ApiRow } from './api-store.ts'

export const columnsOf = {
  live: { shown: 'credential', sealed: 'upstream_token_encrypted' },
  test: { shown: 'test_credential', sealed: 'test_credential_encrypted' },
} as const

type SealedColumn =
  | 'password_encrypted'
  | 'upstream_token_encrypted'
  | 'test_credential_encrypted'
  | 'tls_encrypted'

/** Opens a sealed column; undefined where it is empty. Throws `api.unreadable`. */
export function openSealed(box: SecretBox, api: ApiRow, field: SealedColumn): string | undefined {
  const sealed = api[field]
  if (sealed === null) return undefined
  try {
    return box.open(sealed, { table: 'api', row: api.id, field })
  } catch (cause) {
    throw new AppError('api.unreadable', { cause })
  }
}

/** A credential whole, its secrets in clear; undefined where the API has none. Throws `api.unreadable`. */
export function openCredential(
  box: SecretBox,
  api: ApiRow,
  place: SignInPlaceName,
): StoredCredential | undefined {
  const { shown, sealed } = columnsOf[place]
  const text = openSealed(box, api, sealed)
  if (text === undefined) return undefined
  const json = api[shown]
  if (json === null) return plainToken(text)
  return unreadableAsError(() =>
    joinSecrets(shownCredential.parse(JSON.parse(json)), JSON.parse(text) as SecretTexts),
  )
}

export function openTls(box: SecretBox, api: ApiRow): StoredTls | undefined {
  const text = openSealed(box, api, 'tls_encrypted')
  const json = api.tls
  if (text === undefined || json === null) return undefined
  return unreadableAsError(() =>
    joinTls(shownTls.parse(JSON.parse(json)), JSON.parse(text) as SecretTexts),
  )
}

function unreadableAsError<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw new AppError('api.unreadable', { cause })
  }
}

/** A credential as it may be shown; null where there is none, or where it can't be read. */
export function shownCredentialOf(api: ApiRow, place: SignInPlaceName): ShownCredential | null {
  const { shown, sealed } = columnsOf[place]
  if (api[sealed] === null) return null
  const json = api[shown]
  if (json === null) return splitSecrets(plainToken('stored')).shown
  return readable(() => shownCredential.parse(JSON.parse(json))) ?? null
}

export function shownTlsOf(api: ApiRow): ShownApiTls | null {
  const json = api.tls
  return json === null ? null : (readable(() => JSON.parse(json) as ShownApiTls) ?? null)
}

/** What an upstream token is, as a credential. */
const plainToken = (token: string) => bearer(token) as StoredCredential
