import { isIPv6 } from 'node:net'

/**
 * What counts as one caller when attempts are limited: a whole IPv4 address, and the /64 network of an
 * IPv6 address, which is the least that one customer gets (RFC 6177 §2). An IPv4 address that
 * is written as IPv6 (RFC 4291 §2.5.5.2) counts as itself.
 */
export function addressGroup(address: string): string {
  const [bare = ''] = address.split('%')
  if (!isIPv6(bare)) return address
  const groups = expand(bare)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** The eight groups of an IPv6 address. */
function expand(address: string): number[] {
  // The URL parser writes a trailing IPv4 part as two groups (WHATWG URL, IPv6 serializer).
  const normal = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = normal.split('::')
  const toGroups = (part: string) =>
    part === '' ? [] : part.split(':').map((hex) => parseInt(hex, 16))
  const front = toGroups(head)
  if (tail === undefined) return front
  const back = toGroups(tail)
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back]
}
