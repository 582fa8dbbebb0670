import { createHash } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import type { SecureContext } from 'node:tls'
import type { StoredTls } from '@gatehouse/contract/credential'
import { UpstreamFailure } from './failures.ts'
import { secureContextOptions } from './tls-material.ts'

/** Tells TLS settings apart without holding their secrets. Blank: there are none. */
export const tlsKey = (tls: StoredTls | null): string =>
  tls === null ? '' : createHash('sha256').update(JSON.stringify(tls)).digest('hex')

/**
 * What an API shows over TLS, ready for connections; undefined where it has no settings. `ca` holds the
 * authorities where the API names none. Settings that can't be used are a failure of the call.
 */
export function secureContextOf(
  tls: StoredTls | null,
  ca?: string | readonly string[],
): SecureContext | UpstreamFailure | undefined {
  if (tls === null) return undefined
  const authorities = ca === undefined ? {} : { ca: [ca].flat() }
  try {
    return createSecureContext({ ...authorities, ...secureContextOptions(tls) })
  } catch (error) {
    return new UpstreamFailure('tls', 'the client certificate of the API can not be used', error)
  }
}
