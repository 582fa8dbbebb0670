import type { rateLimitScopes } from '@gatehouse/contract/gateway'
import { addressGroup } from '@gatehouse/upstream/http'

export interface Client {
  /** The owner of the token; null where the request came without one. */
  userId: number | null
  address: string
  endpointId: number
}

/**
 * What a rate limit counts a request against. All tokens of one user count together: otherwise each new one would bring another
 * quota. A client without a token is counted by its address.
 */
export function clientKey(scope: (typeof rateLimitScopes)[number], client: Client): string {
  if (scope === 'endpoint') return String(client.endpointId)
  const isByUser = scope === 'token' && client.userId !== null
  return isByUser ? `u${client.userId}` : addressGroup(client.address)
}
