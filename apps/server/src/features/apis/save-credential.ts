import {
  mergeKept,
  mergeKeptTls,
  splitSecrets,
  splitTls,
  type FieldErrors,
  type GivenTls,
  type HttpApiDefinition,
  type ShownApiTls,
  type SignInPlaceName,
  type StoredCredential,
  type StoredTls,
} from '@gatehouse/contract'
import { signingKeyProblem } from '@gatehouse/upstream'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { checkedTls } from './check-tls.ts'
import { readable } from '../../kernel/readable.ts'
import { columnsOf, openCredential, openTls } from './api-credentials.ts'
import type { ApiRow } from './api-store.ts'

const isPlainToken = (credential: StoredCredential) =>
  credential.kind === 'bearer' && credential.scheme === 'Bearer' && credential.refused_when === null

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

/** TLS settings as they are saved: see `saveCredential`. Checked at `now`. */
export async function saveTls(
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
  const checked = merged.ok ? await checkedTls(merged.value, now) : undefined
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
  // What is stored asks for no work any more, so that neither gateway nor later saves pay for it again.
  const { shown, secrets } = splitTls(checked.opened)
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
    isChanged:
      JSON.stringify(before && splitTls(before).secrets) !==
      JSON.stringify(splitTls(merged.value).secrets),
    problems: {},
  }
}

/** A form that was left empty, where nothing is stored that its blanks would keep. */
const isBlank = (given: GivenTls, before: StoredTls | undefined) =>
  Object.values(given).every((value) => value === '' || value === false || value === null) &&
  (before === undefined || before.pfx === '' || given.pfx === null)
