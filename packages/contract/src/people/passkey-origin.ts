const address = /^(\d{1,3}(\.\d{1,3}){3}|\[.*\])$/

/**
 * Whether a page of this origin may use passkeys: browsers want https or the machine itself, and a name
 * instead of an address (W3C Web Authentication, "RP ID").
 */
export function isPasskeyOrigin(origin: string): boolean {
  const url = URL.parse(origin)
  if (!url || address.test(url.hostname)) return false
  const isLocal = url.hostname === 'localhost' || url.hostname.endsWith('.localhost')
  return url.protocol === 'https:' || (isLocal && url.protocol === 'http:')
}
