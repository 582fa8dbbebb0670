import type { ApiDefinition } from '@gatehouse/contract'
import { fieldError } from '../../kernel/app-error.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { ApiRow } from './api-store.ts'

type SecretColumn = 'password_encrypted' | 'upstream_token_encrypted'

const placeOf = (row: number, field: SecretColumn) => ({ table: 'api', row, field })

/** The upstream credential of an API in clear text, for a call that is about to be made. */
export function openUpstreamToken(box: SecretBox, api: ApiRow): string | undefined {
  const sealed = api.upstream_token_encrypted
  return sealed === null ? undefined : box.open(sealed, placeOf(api.id, 'upstream_token_encrypted'))
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
) {
  const seal = (typed: string, field: SecretColumn) =>
    typed === '' ? (stored?.[field] ?? null) : box.seal(typed, placeOf(id, field))
  const isHttp = definition.api_protocol === 'http'
  return {
    password_encrypted: isHttp ? null : seal(definition.password, 'password_encrypted'),
    upstream_token_encrypted:
      !isHttp || (definition.clear_upstream_token && definition.upstream_token === '')
        ? null
        : seal(definition.upstream_token, 'upstream_token_encrypted'),
  }
}

/**
 * A stored secret goes only where it was entered for. Whoever changes the address has to enter it
 * again; otherwise an editor could have it sent to a server of their own.
 */
export function requireSecretsAgain(definition: ApiDefinition, stored: ApiRow): void {
  if (definition.api_protocol !== stored.api_protocol) return
  if (definition.api_protocol === 'http') {
    const isMoved =
      definition.api_url !== stored.api_url ||
      (definition.test_api_url !== '' && definition.test_api_url !== stored.test_api_url)
    const isKept = definition.upstream_token === '' && !definition.clear_upstream_token
    if (stored.upstream_token_encrypted !== null && isMoved && isKept) {
      throw fieldError({
        upstream_token: ['The base URL has changed: enter the upstream token again, or clear it.'],
      })
    }
    return
  }
  const isMoved = (['driver', 'host', 'port'] as const).some(
    (field) => definition[field] !== stored[field],
  )
  if (stored.password_encrypted !== null && isMoved && definition.password === '') {
    throw fieldError({
      password: ['The driver, host or port has changed: enter the password again.'],
    })
  }
}
