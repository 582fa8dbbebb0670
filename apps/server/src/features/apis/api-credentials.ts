import {
  joinSecrets,
  joinTls,
  mergeKept,
  mergeKeptTls,
  shownCredential,
  shownTls,
  splitSecrets,
  splitTls,
  type FieldErrors,
  type HttpApiDefinition,
  type SecretTexts,
  type ShownApiTls,
  type ShownCredential,
  type SignInPlaceName,
  type StoredCredential,
  type StoredTls,
} from '@gatehouse/contract'
import { bearer, checkTls, signingKeyProblem } from '@gatehouse/upstream'
import { AppError } from '../../kernel/app-error.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { ApiRow } from './api-store.ts'

const columnsOf = {
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
  return readJson(json, (value) => shownCredential.safeParse(value).data) ?? null
}

export function shownTlsOf(api: ApiRow): ShownApiTls | null {
  return api.tls === null ? null : (readJson(api.tls, (value) => value as ShownApiTls) ?? null)
}

function readJson<T>(json: string, read: (value: unknown) => T | undefined): T | undefined {
  try {
    return read(JSON.parse(json))
  } catch {
    return undefined
  }
}

/** What an upstream token is, as a credential. */
const plainToken = (token: string) => bearer(token) as StoredCredential

const isPlainToken = (credential: StoredCredential) =>
  credential.kind === 'bearer' && credential.scheme === 'Bearer' && credential.refused_when === null

/** The columns of a credential or of TLS settings, and what is wrong with what was given. */
export interface Saved<Columns> {
  columns: Columns
  /** Whether the secrets are others than before. */
  isChanged: boolean
  problems: FieldErrors
}

interface SavingCredential {
  box: SecretBox
  id: number
  place: SignInPlaceName
  given: StoredCredential | null | undefined
  stored: ApiRow | undefined
  /** Why the stored secrets would go elsewhere, or less protected; undefined: they would not. */
  moved: string | undefined
  now: Date
}

/**
 * A credential as it is saved: absent keeps what is stored, null forgets it, and secrets that were left
 * blank are the stored ones. A stored secret is only ever sent to the address it was entered for.
 */
export async function saveCredential(saving: SavingCredential) {
  const { box, id, place, given, stored, moved, now } = saving
  const { shown, sealed } = columnsOf[place]
  const kept = { [shown]: stored?.[shown] ?? null, [sealed]: stored?.[sealed] ?? null }
  const none = { columns: { [shown]: null, [sealed]: null }, problems: {} }
  if (given === null) return { ...none, isChanged: kept[sealed] !== null }
  if (given === undefined) {
    const problems = moved === undefined || !stored ? {} : movedProblems(stored, place, moved)
    return { columns: kept, isChanged: false, problems }
  }
  const before = stored && readable(() => openCredential(box, stored, place))
  const merged = mergeKept(given, before, { isMoved: moved !== undefined })
  if (!merged.ok) {
    const problems = merged.problems.map(({ path, message }) => [
      [shown, ...path].join('.'),
      [message],
    ])
    return { ...none, isChanged: false, problems: Object.fromEntries(problems) as FieldErrors }
  }
  const { value } = merged
  const isOfKey =
    value.kind === 'oauth2_client_credentials' && value.client_authentication === 'private_key_jwt'
  const keyProblem = isOfKey ? await signingKeyProblem(value, now) : undefined
  if (keyProblem !== undefined) {
    const problems: FieldErrors = { [`${shown}.private_key`]: [keyProblem] }
    return { ...none, isChanged: false, problems }
  }
  const parted = splitSecrets(value)
  const isPlain = place === 'live' && isPlainToken(value)
  const text = isPlain && value.kind === 'bearer' ? value.token : JSON.stringify(parted.secrets)
  return {
    columns: {
      [shown]: isPlain ? null : JSON.stringify(parted.shown),
      [sealed]: box.seal(text, { table: 'api', row: id, field: sealed }),
    },
    isChanged:
      JSON.stringify(before && splitSecrets(before).secrets) !== JSON.stringify(parted.secrets),
    problems: {},
  }
}

/** Nothing was given for a credential whose stored secrets may not go to the new address. */
function movedProblems(stored: ApiRow, place: SignInPlaceName, moved: string): FieldErrors {
  const { shown, sealed } = columnsOf[place]
  if (stored[sealed] === null) return {}
  if (place === 'live' && stored.credential === null) {
    return { upstream_token: [`${moved}: enter the upstream token again, or clear it.`] }
  }
  return { [shown]: [`${moved}: enter the secrets of the sign-in again, or remove it.`] }
}

/** What can't be opened is as good as not there: it has to be entered again. */
export function readable<T>(open: () => T): T | undefined {
  try {
    return open()
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** TLS settings as they are saved: see `saveCredential`. Checked at `now`. */
export function saveTls(
  box: SecretBox,
  id: number,
  given: HttpApiDefinition['tls'],
  stored: ApiRow | undefined,
  now: Date,
) {
  const kept = { tls: stored?.tls ?? null, tls_encrypted: stored?.tls_encrypted ?? null }
  if (given === undefined) return { columns: kept, isChanged: false, problems: {} }
  const before = stored && readable(() => openTls(box, stored))
  const none = { columns: { tls: null, tls_encrypted: null }, problems: {} }
  if (given === null || isBlank(given, before)) {
    return { ...none, isChanged: kept.tls_encrypted !== null }
  }
  const merged = mergeKeptTls(given, before)
  const checked = merged.ok ? checkTls(merged.value, now) : undefined
  if (!merged.ok || !checked?.ok) {
    const found = merged.ok
      ? (checked?.ok === false ? checked.problems : []).map((each) => ({
          ...each,
          path: [each.field],
        }))
      : merged.problems
    const problems = found.map(({ path, message }) => [['tls', ...path].join('.'), [message]])
    return { ...none, isChanged: false, problems: Object.fromEntries(problems) as FieldErrors }
  }
  const { shown, secrets } = splitTls(merged.value)
  const sealed = box.seal(JSON.stringify(secrets), {
    table: 'api',
    row: id,
    field: 'tls_encrypted',
  })
  return {
    columns: {
      tls: JSON.stringify({ ...shown, certificate: checked.certificate } satisfies ShownApiTls),
      tls_encrypted: sealed,
    },
    isChanged: JSON.stringify(before && splitTls(before).secrets) !== JSON.stringify(secrets),
    problems: {},
  }
}

/** A form that was left empty, where nothing is stored that its blanks would keep. */
const isBlank = (given: StoredTls, before: StoredTls | undefined) =>
  Object.values(given).every((value) => value === '' || value === false) &&
  (before === undefined || before.pfx === '')
