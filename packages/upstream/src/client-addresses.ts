import { createAddressRanges, type AddressRanges } from './address-ranges.ts'
import { parseIp } from './ip-address.ts'

/** Which clients are taken by their addresses. A client whose address is not known is in no list, and is refused. */
export class ClientAddresses {
  readonly #allow: AddressRanges
  readonly #deny: AddressRanges

  constructor({ allow, deny }: { allow: readonly string[]; deny: readonly string[] }) {
    this.#allow = createAddressRanges(allow)
    this.#deny = createAddressRanges(deny)
  }

  takes(address: string): boolean {
    if (parseIp(address) === undefined || this.#deny.has(address)) return false
    return this.#allow.isEmpty || this.#allow.has(address)
  }
}
