import {
  policyUrls,
  tlsDefaults,
  tlsModes,
  type ApiDefinition,
  type HttpApiDefinition,
  type ProcedureApiDefinition,
  type ProcedureConnectionInput,
  type TrafficPolicy,
} from '@gatehouse/contract'
import { fieldError } from '../../kernel/app-error.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { fromColumns, type SignInColumn } from './api-columns.ts'
import { openSealed, shownTlsOf } from './api-credentials.ts'
import type { ApiRow } from './api-store.ts'
import { saveCredential, saveTls } from './save-credential.ts'

type SignInColumns = Record<SignInColumn, string | null>

/** An API without a sign-in and without secrets, as it is inserted. */
export const noSecrets: SignInColumns = {
  password_encrypted: null,
  credential: null,
  upstream_token_encrypted: null,
  test_credential: null,
  test_credential_encrypted: null,
  tls: null,
  tls_encrypted: null,
}

/** The password of a stored procedure's database in clear text, for a call that is about to be made. */
export const openPassword = (box: SecretBox, api: ApiRow): string =>
  openSealed(box, api, 'password_encrypted') ?? ''

interface SavedSecrets {
  columns: SignInColumns
  /** Which secrets are others than before, for the audit trail. */
  changed: string[]
}

/**
 * The columns of the sign-in after a save: what was typed is sealed, blank keeps what is stored, and a
 * protocol keeps no secret of the other one. A stored secret is sent only to the address it was
 * entered for: a user who changes the address has to enter it again; otherwise an editor could have it
 * sent to a server of their own. Throws a 422 with every problem.
 */
export async function saveSecrets(
  box: SecretBox,
  id: number,
  definition: ApiDefinition,
  { stored, now }: { stored: ApiRow | undefined; now: Date },
): Promise<SavedSecrets> {
  const before = stored?.api_protocol === definition.api_protocol ? stored : undefined
  return definition.api_protocol === 'http'
    ? saveSignIn(box, id, definition, { stored: before, now })
    : savePassword(box, id, definition, before)
}

async function saveSignIn(
  box: SecretBox,
  id: number,
  definition: HttpApiDefinition,
  { stored, now }: { stored: ApiRow | undefined; now: Date },
): Promise<SavedSecrets> {
  const { credential, test_credential, tls } = definition
  const moved = stored && movedWords(definition, stored)
  const of = { box, id, stored, now }
  const saved = {
    credential: await saveCredential({
      ...of,
      place: 'live',
      given: credential,
      moved: moved?.base,
    }),
    test_credential: await saveCredential({
      ...of,
      place: 'test',
      given: test_credential,
      moved: moved?.test,
    }),
    tls: await saveTls(box, id, tls, stored, now),
  }
  const parts = Object.values(saved)
  const problems = Object.assign({}, ...parts.map((part) => part.problems)) as Record<
    string,
    string[]
  >
  if (Object.keys(problems).length > 0) throw fieldError(problems)
  const changed = Object.entries(saved).flatMap(([field, { isChanged }]) =>
    isChanged ? field : [],
  )
  return {
    columns: Object.assign({ ...noSecrets }, ...parts.map(({ columns }) => columns)),
    changed,
  }
}

function savePassword(
  box: SecretBox,
  id: number,
  definition: ProcedureApiDefinition,
  stored: ApiRow | undefined,
): SavedSecrets {
  const { password } = definition
  if (password !== '') {
    const place = { table: 'api', row: id, field: 'password_encrypted' }
    const columns = { ...noSecrets, password_encrypted: box.seal(password, place) }
    return { columns, changed: ['password'] }
  }
  if (!stored?.password_encrypted)
    throw fieldError({ password: ['The password field is required.'] })
  if (isMoved(definition, stored)) {
    throw fieldError({
      password: ['The driver, host, port or TLS has changed: enter the password again.'],
    })
  }
  return { columns: { ...noSecrets, password_encrypted: stored.password_encrypted }, changed: [] }
}

/** Why stored secrets would go to another address than the one they were entered for, or less protected. */
function movedWords(definition: HttpApiDefinition, stored: ApiRow) {
  const { api_url, test_api_url, test_credential, traffic_policy } = definition
  const isTestUrlNew = test_api_url !== '' && test_api_url !== stored.test_api_url
  const hadTest = stored.test_credential_encrypted !== null
  const hasTest = test_credential === undefined ? hadTest : test_credential !== null
  // Without a credential of its own, the test base URL is shown that of the base URL.
  const isShownToTest = !hasTest && test_api_url !== '' && (isTestUrlNew || hadTest)
  const tls = isTlsWeaker(definition, stored)
    ? 'The TLS settings trust another authority or allow more'
    : undefined
  const target = hasNewTarget(traffic_policy, stored)
    ? 'Another base URL was added or changed'
    : undefined
  const isUrlChanged = api_url !== stored.api_url || isShownToTest
  return {
    base: isUrlChanged ? 'The base URL has changed' : (target ?? tls),
    test: isTestUrlNew ? 'The test base URL has changed' : tls,
  }
}

function isTlsWeaker({ tls }: HttpApiDefinition, stored: ApiRow): boolean {
  if (tls === undefined) return false
  const before = shownTlsOf(stored)
  const isOtherAuthority = (tls?.ca ?? '') !== (before?.ca ?? '')
  return isOtherAuthority || (tls?.legacy_renegotiation === true && !before?.legacy_renegotiation)
}

/** True where a stored password would go to another place, or with less protection, than when it was entered. */
export function isMoved(
  given: Pick<ProcedureConnectionInput, 'driver' | 'host' | 'port' | 'db_tls' | 'db_ca'>,
  stored: ApiRow,
): boolean {
  const isElsewhere = (['driver', 'host', 'port'] as const).some(
    (field) => given[field] !== stored[field],
  )
  if (isElsewhere || !given.driver) return true
  const before = tlsModes.indexOf(stored.db_tls ?? tlsDefaults[given.driver])
  const isWeaker = tlsModes.indexOf(given.db_tls ?? tlsDefaults[given.driver]) < before
  return isWeaker || (given.db_ca !== '' && given.db_ca !== stored.db_ca)
}

/** True where the policy sends calls to a base URL that this API did not have before. */
function hasNewTarget(policy: TrafficPolicy | null | undefined, stored: ApiRow): boolean {
  const known = new Set([stored.api_url, ...urlsOf(fromColumns(stored).traffic_policy)])
  return urlsOf(policy).some((url) => !known.has(url))
}

const urlsOf = (policy: TrafficPolicy | null | undefined) => (policy ? policyUrls(policy) : [])
