import { BlockList } from 'node:net'
import { parseIp } from './ip-address.ts'

/** A set of address ranges, to be asked whether it holds an address. */
export interface AddressRanges {
  isEmpty: boolean
  has(address: string): boolean
}

/** What is wrong with an address range in CIDR notation (or a single address), or undefined. */
export function cidrProblem(range: string): string | undefined {
  return readCidr(range)
    ? undefined
    : `"${range}" is not an address range like 10.0.0.0/8 or fd00::/8`
}

/** Throws RangeError, naming the range, where one is not in CIDR notation. */
export function createAddressRanges(ranges: readonly string[]): AddressRanges {
  const list = new BlockList()
  for (const range of ranges) {
    const cidr = readCidr(range)
    if (!cidr) throw new RangeError(cidrProblem(range))
    list.addSubnet(cidr.network, cidr.prefixBits, cidr.family)
  }
  return {
    isEmpty: ranges.length === 0,
    has(address) {
      const ip = parseIp(address)
      return ip !== undefined && list.check(ip.text, ip.family)
    },
  }
}

function readCidr(range: string) {
  const [literal = '', length, ...rest] = range.split('/')
  const ip = /^[\d.]+$|^[\da-f:]+$/i.test(literal) ? parseIp(literal) : undefined
  if (!ip || rest.length > 0) return undefined
  const maxBits = ip.family === 'ipv4' ? 32 : 128
  if (length !== undefined && !/^(0|[1-9]\d{0,2})$/.test(length)) return undefined
  // ::ffff:10.0.0.0/104 would count its bits from the wrong end: write the IPv4 range instead.
  if (ip.family === 'ipv4' && literal.includes(':')) return undefined
  const prefixBits = length === undefined ? maxBits : Number(length)
  return prefixBits > maxBits ? undefined : { network: ip.text, prefixBits, family: ip.family }
}

/**
 * Never called, whatever the settings say. Loopback and private ranges are not among
 * them: the systems that this product connects live there.
 */
export const neverCalled: readonly { what: string; ranges: AddressRanges }[] = [
  {
    what: 'the metadata service of a cloud',
    ranges: createAddressRanges([
      '169.254.169.254', // AWS, Azure, Google, OpenStack and most others
      '169.254.170.0/24', // AWS: credentials of containers
      '100.100.100.200', // Alibaba
      '168.63.129.16', // Azure: the wire server
      '192.0.0.192', // Oracle, classic
      'fd00:ec2::/32', // AWS over IPv6
      'fd20:ce::254', // Google over IPv6
      'fd00:c1::a9fe:a9fe', // Oracle over IPv6
      'fd00:42::42', // Scaleway over IPv6
    ]),
  },
  { what: 'link-local', ranges: createAddressRanges(['169.254.0.0/16', 'fe80::/10']) },
  { what: 'multicast', ranges: createAddressRanges(['224.0.0.0/4', 'ff00::/8']) },
  // Connecting to 0.0.0.0 or :: reaches the machine itself, past every rule about 127.0.0.1.
  { what: 'unspecified', ranges: createAddressRanges(['0.0.0.0/8', '::']) },
  {
    // Of IANA's registries of special-purpose addresses what no host has. Ranges for documentation and
    // benchmarks (192.0.2.0/24, 198.18.0.0/15 …) are left out: some networks use them as private ones.
    what: 'broadcast or reserved',
    ranges: createAddressRanges([
      '240.0.0.0/4', // RFC 1112 §4, with the broadcast
      '192.0.0.0/24', // protocols of the IETF, RFC 6890
      '192.88.99.0/24', // relays of 6to4, deprecated by RFC 7526
      'fec0::/10', // site-local, deprecated by RFC 3879
      '100::/64', // discard, RFC 6666
      '100:0:0:1::/64', // dummy, RFC 9780
      '2001:10::/28', // ORCHID, deprecated by RFC 4843
      '2001:20::/28', // ORCHIDv2, RFC 7343
      '5f00::/16', // segments of SRv6, RFC 9602
    ]),
  },
]
