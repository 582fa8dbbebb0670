/**
 * IPv4 addresses as they are. Of an IPv6 address the first 64 bits: one household or server is given
 * at least that many addresses, and a client could use another for each request.
 */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address
  const embedded = /^::(?:ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (embedded !== undefined) return embedded
  const [head = '', tail] = address.replace(/%.*$/, '').split('::')
  const before = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':')
    // A dotted quad at the end counts as two groups.
    const length = before.length + after.length + (tail.includes('.') ? 1 : 0)
    before.push(...Array<string>(Math.max(0, 8 - length)).fill('0'), ...after)
  }
  const groups = before.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${groups.join(':')}::/64`
}
