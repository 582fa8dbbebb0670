import { isIP } from 'node:net'

/** An address in the one spelling that everything is compared in, with the IPv4 addresses inside it. */
export interface IpAddress {
  family: 'ipv4' | 'ipv6'
  /** Dotted decimal, or eight hextets without `::`. IPv4-mapped IPv6 is IPv4. */
  text: string
  /** IPv4 addresses that a translator or tunnel would send this to; empty for most. */
  embedded: readonly string[]
}

/** Reads a literal address as `net.isIP` accepts it, brackets and zone ignored; else undefined. */
export function parseIp(literal: string): IpAddress | undefined {
  const bare = literal.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '')
  const family = isIP(bare)
  if (family === 4) return { family: 'ipv4', text: bare, embedded: [] }
  if (family === 0) return undefined
  const bytes = ipv6Bytes(bare)
  if (startsWith(bytes, mapped)) return { family: 'ipv4', text: ipv4At(bytes, 12), embedded: [] }
  return { family: 'ipv6', text: hextets(bytes), embedded: embeddedIpv4(bytes) }
}

const zeros = (count: number) => Array.from({ length: count }, () => 0)
const mapped = [...zeros(10), 0xff, 0xff] // ::ffff:0:0/96, RFC 4291 §2.5.5.2
const compatible = zeros(12) // ::/96, RFC 4291 §2.5.5.1
const translated = [...zeros(8), 0xff, 0xff, 0, 0] // ::ffff:0:0:0/96, RFC 2765 §2.1
const nat64 = [0, 0x64, 0xff, 0x9b, ...zeros(8)] // 64:ff9b::/96, RFC 6052 §2.1
const nat64Local = [0, 0x64, 0xff, 0x9b, 0, 1] // 64:ff9b:1::/48, RFC 8215
const sixToFour = [0x20, 0x02] // 2002::/16, RFC 3056 §2
const teredo = [0x20, 0x01, 0, 0] // 2001::/32, RFC 4380 §4

function embeddedIpv4(bytes: readonly number[]): string[] {
  if (startsWith(bytes, compatible)) {
    // :: and ::1 are addresses of their own, not 0.0.0.0 and 0.0.0.1.
    return bytes.slice(12, 15).every((byte) => byte === 0) ? [] : [ipv4At(bytes, 12)]
  }
  if (startsWith(bytes, translated) || startsWith(bytes, nat64)) return [ipv4At(bytes, 12)]
  if (startsWith(bytes, nat64Local)) return localNat64Ipv4(bytes)
  if (startsWith(bytes, sixToFour)) return [ipv4At(bytes, 2)]
  if (startsWith(bytes, teredo)) {
    const client = bytes.slice(12).map((byte) => byte ^ 0xff)
    return [ipv4At(bytes, 4), client.join('.')]
  }
  return isIsatap(bytes) ? [ipv4At(bytes, 12)] : []
}

/**
 * RFC 6052 §2.2: where the IPv4 address lies depends on a prefix length we cannot know, so every
 * layout counts. One that starts with 0 is no host but the filling of another layout.
 */
function localNat64Ipv4(bytes: readonly number[]): string[] {
  const withoutByte8 = [...bytes.slice(0, 8), ...bytes.slice(9)]
  return [
    ipv4At(withoutByte8, 6),
    ipv4At(withoutByte8, 7),
    ipv4At(withoutByte8, 8),
    ipv4At(bytes, 12),
  ].filter((address) => !address.startsWith('0.'))
}

/** RFC 5214 §6.1: the interface identifier is [02]00:5efe and an IPv4 address. */
function isIsatap(bytes: readonly number[]): boolean {
  return (
    ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
  )
}

function ipv6Bytes(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const front = groupBytes(head)
  const back = tail === undefined ? [] : groupBytes(tail)
  return [...front, ...zeros(16 - front.length - back.length), ...back]
}

function groupBytes(groups: string): number[] {
  if (groups === '') return []
  return groups.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number)
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
}

function hextets(bytes: readonly number[]): string {
  return Array.from({ length: 8 }, (_, at) =>
    (((bytes[at * 2] ?? 0) << 8) | (bytes[at * 2 + 1] ?? 0)).toString(16),
  ).join(':')
}

const ipv4At = (bytes: readonly number[], at: number) => bytes.slice(at, at + 4).join('.')

const startsWith = (bytes: readonly number[], prefix: readonly number[]) =>
  prefix.every((byte, at) => bytes[at] === byte)
