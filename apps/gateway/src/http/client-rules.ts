import { createAddressRanges, entryOfOutermost, forwardedAddress } from '@gatehouse/upstream/http'
import type { AddressRanges } from '@gatehouse/upstream/http'

/** Which addresses are believed, and which are internal. */
export interface ClientRules {
  isTrustedProxy(address: string): boolean
  isInternal(address: string): boolean
}

/** Both lists are CIDR ranges. Throws RangeError for what is not one. */
export function createClientRules(
  trustedProxies: readonly string[],
  internalNetworks: readonly string[],
): ClientRules {
  const trusted: AddressRanges = createAddressRanges(trustedProxies)
  const internal: AddressRanges = createAddressRanges(internalNetworks)
  return {
    isTrustedProxy: (address) => !trusted.isEmpty && trusted.has(address),
    isInternal: (address) => internal.has(address),
  }
}

/** A client whose address a trusted proxy does not give: never internal, all counted together. */
export const unknownClient = 'unknown'

/**
 * The address of the client behind trusted proxies: the last entry of X-Forwarded-For that no trusted
 * proxy has. What a client wrote itself is further left and is never reached. An entry without an
 * address makes the client unknown: it must not be taken for the proxy, which is internal.
 */
export function clientBehindProxies(forwardedFor: string, rules: ClientRules): string {
  let client = unknownClient
  for (const entry of forwardedFor.split(',').toReversed()) {
    const address = forwardedAddress(entry)
    if (address === undefined) return unknownClient
    client = address
    if (!rules.isTrustedProxy(address)) break
  }
  return client
}

/** What the outermost trusted proxy says by X-Forwarded-Host or X-Forwarded-Proto; `list`: one entry, or one of each proxy. */
export function saidByOutermost(list: string, forwardedFor: string, rules: ClientRules): string {
  if (!list.includes(',')) return list
  const entries = forwardedFor.split(',')
  const isProxy = (entry: string) => rules.isTrustedProxy(forwardedAddress(entry) ?? '')
  const clientAt = entries.findLastIndex((entry) => !isProxy(entry))
  return entryOfOutermost(list, entries.length - 1 - Math.max(clientAt, 0))
}
