import {
  tlsDefaults,
  tlsModes,
  type ApiDefinition,
  type HttpApiDefinition,
  type ProcedureApiDefinition,
  type ProcedureConnectionInput,
  type TrafficPolicy,
} from '@gatehouse/contract'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { fromColumns, type SecretColumn } from './api-columns.ts'
import type { ApiRow } from './api-store.ts'

export const noSecrets: Record<SecretColumn, null> = {
  password_encrypted: null,
  upstream_token_encrypted: null,
}

const placeOf = (row: number, field: SecretColumn) => ({ table: 'api', row, field })

/**
 * The upstream credential of an API in clear text, for a call that is about to be made. Throws
 * `api.unreadable` where it can't be opened, and so does `openPassword`.
 */
export function openUpstreamToken(box: SecretBox, api: ApiRow): string | undefined {
  return open(box, api, 'upstream_token_encrypted')
}

/** The password of a stored procedure's database in clear text, for a call that is about to be made. */
export function openPassword(box: SecretBox, api: ApiRow): string {
  return open(box, api, 'password_encrypted') ?? ''
}

function open(box: SecretBox, api: ApiRow, field: SecretColumn): string | undefined {
  const sealed = api[field]
  if (sealed === null) return undefined
  try {
    return box.open(sealed, placeOf(api.id, field))
  } catch (cause) {
    throw new AppError('api.unreadable', { cause })
  }
}

/**
 * The secret columns after a save: what was typed is sealed, blank keeps what is stored, and a
 * protocol keeps no secret of the other one.
 */
export function sealedSecrets(
  box: SecretBox,
  id: number,
  definition: ApiDefinition,
  stored?: ApiRow,
): Record<SecretColumn, string | null> {
  const seal = (typed: string, field: SecretColumn) =>
    typed === '' ? (stored?.[field] ?? null) : box.seal(typed, placeOf(id, field))
  if (definition.api_protocol === 'stored_procedure') {
    return { ...noSecrets, password_encrypted: seal(definition.password, 'password_encrypted') }
  }
  const isForgotten = definition.clear_upstream_token && definition.upstream_token === ''
  const upstream_token_encrypted = isForgotten
    ? null
    : seal(definition.upstream_token, 'upstream_token_encrypted')
  return { ...noSecrets, upstream_token_encrypted }
}

/**
 * A stored secret is sent only to the address it was entered for. A user who changes the address has to enter it
 * again; otherwise an editor could have it sent to a server of their own.
 */
export function requireSecretsAgain(definition: ApiDefinition, stored: ApiRow): void {
  if (definition.api_protocol !== stored.api_protocol) return
  if (definition.api_protocol === 'http') requireTokenAgain(definition, stored)
  else requirePasswordAgain(definition, stored)
}

function requireTokenAgain(definition: HttpApiDefinition, stored: ApiRow): void {
  const isUrlChanged =
    definition.api_url !== stored.api_url ||
    (definition.test_api_url !== '' && definition.test_api_url !== stored.test_api_url)
  const isKept = definition.upstream_token === '' && !definition.clear_upstream_token
  if (stored.upstream_token_encrypted === null || !isKept) return
  if (isUrlChanged || hasNewTarget(definition.traffic_policy, stored)) {
    const what = isUrlChanged ? 'The base URL has changed' : 'Another base URL was added or changed'
    throw fieldError({
      upstream_token: [`${what}: enter the upstream token again, or clear it.`],
    })
  }
}

function requirePasswordAgain(definition: ProcedureApiDefinition, stored: ApiRow): void {
  const isKept = stored.password_encrypted !== null && definition.password === ''
  if (!isKept || !isMoved(definition, stored)) return
  throw fieldError({
    password: ['The driver, host, port or TLS has changed: enter the password again.'],
  })
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
  const known = new Set([stored.api_url, ...otherUrls(fromColumns(stored).traffic_policy)])
  return otherUrls(policy).some((url) => !known.has(url))
}

/** The base URLs beside the API's own. */
export function otherUrls(policy: TrafficPolicy | null | undefined): string[] {
  return policy?.targets?.others.map(({ url }) => url) ?? []
}
