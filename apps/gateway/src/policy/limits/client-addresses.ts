import type { TrafficPolicy } from '@gatehouse/contract/gateway'
import { createAddressRanges, parseIp } from '@gatehouse/upstream/http'
import type { AddressRanges } from '@gatehouse/upstream/http'

/** Which clients an API takes by their addresses. A client whose address is not known is in no list, and is refused. */
export class ClientAddresses {
  readonly #allow: AddressRanges
  readonly #deny: AddressRanges

  constructor({ allow, deny }: NonNullable<TrafficPolicy['client_addresses']>) {
    this.#allow = createAddressRanges(allow)
    this.#deny = createAddressRanges(deny)
  }

  takes(address: string): boolean {
    if (parseIp(address) === undefined || this.#deny.has(address)) return false
    return this.#allow.isEmpty || this.#allow.has(address)
  }
}
