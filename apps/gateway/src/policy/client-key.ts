import type { rateLimitScopes } from '@gatehouse/contract/gateway'
import { addressKey } from '../http/address-key.ts'

export interface Client {
  /** Null where the request came without a token. */
  tokenId: number | null
  address: string
  endpointId: number
}

/** Whom a rate limit counts a request against. Who shows no token is counted by address. */
export function clientKey(scope: (typeof rateLimitScopes)[number], client: Client): string {
  if (scope === 'endpoint') return String(client.endpointId)
  const isByToken = scope === 'token' && client.tokenId !== null
  return isByToken ? `t${client.tokenId}` : addressKey(client.address)
}
