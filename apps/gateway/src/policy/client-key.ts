import type { rateLimitScopes } from '@gatehouse/contract/gateway'

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

/**
 * IPv4 addresses as they are. Of an IPv6 address the first 64 bits: one household or server is given
 * at least that many addresses, and could take another for each request.
 */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address
  const embedded = /^::(?:ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (embedded !== undefined) return embedded
  const [head = '', tail] = address.replace(/%.*$/, '').split('::')
  const before = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':')
    // A dotted quad at the end stands for two groups.
    const length = before.length + after.length + (tail.includes('.') ? 1 : 0)
    before.push(...Array<string>(Math.max(0, 8 - length)).fill('0'), ...after)
  }
  const groups = before.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${groups.join(':')}::/64`
}
