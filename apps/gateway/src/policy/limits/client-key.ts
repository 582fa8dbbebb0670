import type { rateLimitScopes } from '@gatehouse/contract/gateway'
import { addressGroup } from '@gatehouse/upstream/http'

interface Client {
  /** Of the caller; null where the request came without a proof of who that is. */
  quotaKey: string | null
  address: string
  endpointId: number
}

/**
 * What a rate limit counts a request against. A client that shows no token is counted by its address.
 */
export function clientKey(
  scope: (typeof rateLimitScopes)[number],
  { quotaKey, address, endpointId }: Client,
): string {
  if (scope === 'endpoint') return String(endpointId)
  return scope === 'token' && quotaKey !== null ? quotaKey : addressGroup(address)
}
