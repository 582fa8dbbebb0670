import type { rateLimitScopes } from '@gatehouse/contract/gateway'
import { addressKey } from '../../http/address-key.ts'

export interface Client {
  /** Who the token belongs to; null where the request came without one. */
  userId: number | null
  address: string
  endpointId: number
}

/**
 * Whom a rate limit counts a request against. All tokens of one user count together: otherwise each new one would bring a
 * quota of its own. Who shows no token is counted by address.
 */
export function clientKey(scope: (typeof rateLimitScopes)[number], client: Client): string {
  if (scope === 'endpoint') return String(client.endpointId)
  const isByUser = scope === 'token' && client.userId !== null
  return isByUser ? `u${client.userId}` : addressKey(client.address)
}
