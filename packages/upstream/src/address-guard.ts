import { networkInterfaces } from 'node:os'
import { createAddressRanges, neverCalled } from './address-ranges.ts'
import { parseIp } from './ip-address.ts'
import type { IpAddress } from './ip-address.ts'

/** One of our own listeners, or the store: the address it is bound to or reached at. */
export interface OwnAddress {
  /** An IP address, `localhost`, or `''`, `0.0.0.0`, `::` for all. Resolve other names first. */
  address: string
  port: number
}

export interface AddressGuardOptions {
  /** UPSTREAM_ALLOW: CIDR ranges. When not empty, nothing outside of them is called. */
  allow: readonly string[]
  /** UPSTREAM_DENY: CIDR ranges that are not called, `allow` notwithstanding. */
  deny: readonly string[]
  /** Asked on every check, so that listeners may come up later. */
  own: () => readonly OwnAddress[]
  /** The addresses of this machine; its network interfaces unless given. */
  localAddresses?: () => readonly string[]
}

export interface AddressGuard {
  /** Undefined when the resolved address may be called; else the reason, fit for an administrator. */
  refusal(address: string, port: number): string | undefined
  /** The same for what a URL shows before any lookup: scheme, credentials, literals. */
  literalRefusal(url: URL): string | undefined
}

/**
 * Decides which addresses may be called (SSRF). Both settings only narrow: link-local, metadata,
 * multicast and unspecified addresses, our own listeners and the store stay closed even where
 * UPSTREAM_ALLOW names them. Throws RangeError for a range that is not CIDR notation.
 */
export function createAddressGuard(options: AddressGuardOptions): AddressGuard {
  const allow = createAddressRanges(options.allow)
  const deny = createAddressRanges(options.deny)
  const localAddresses = options.localAddresses ?? interfaceAddresses

  function refusal(address: string, port: number): string | undefined {
    const ip = parseIp(address)
    if (!ip) return `${address} is not an IP address`
    const spellings = [ip.text, ...ip.embedded]
    const shown = shownAs(address, ip)
    const never = neverCalled.find(({ ranges }) => spellings.some((each) => ranges.has(each)))
    if (never) return `${shown} is never called: ${never.what}`
    if (options.own().some((own) => own.port === port && isReachedBy(own, spellings))) {
      return `${shown} port ${port} is never called: Gatehouse itself or its database listens there`
    }
    if (spellings.some((each) => deny.has(each))) return `${shown} is closed by UPSTREAM_DENY`
    // Embedded addresses open nothing: the owner of a name could wrap an allowed one in a tunnel.
    if (!allow.isEmpty && !allow.has(ip.text)) return `${shown} is not among UPSTREAM_ALLOW`
    return undefined
  }

  /** A port of ours on this machine is ours on each of the machine's addresses. */
  function isReachedBy(own: OwnAddress, spellings: readonly string[]): boolean {
    const ip = parseIp(ownLiteral(own.address))
    if (!ip) return false
    const isHere = isWildcard(ip) || isLocal(ip.text)
    return isHere ? spellings.some(isLocal) : spellings.includes(ip.text)
  }

  const isLocal = (address: string) =>
    loopback.has(address) || localAddresses().some((local) => parseIp(local)?.text === address)

  function literalRefusal(url: URL): string | undefined {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      return `only http and https are called, not ${url.protocol}`
    }
    if (url.username || url.password) return 'an address with a user name or password is not called'
    const port = portOf(url)
    if (parseIp(url.hostname)) return refusal(url.hostname, port)
    const name = withoutFinalDot(url.hostname)
    const isOwnName = (own: OwnAddress) =>
      own.port === port && withoutFinalDot(own.address.toLowerCase()) === name
    return options.own().some(isOwnName)
      ? `${name} port ${port} is never called: Gatehouse itself or its database listens there`
      : undefined
  }

  return { refusal, literalRefusal }
}

/** The port a URL leads to, the scheme's own one included. */
function portOf(url: URL): number {
  return Number(url.port || (url.protocol === 'https:' ? 443 : 80))
}

const loopback = createAddressRanges(['127.0.0.0/8', '::1'])
const wildcards = createAddressRanges(['0.0.0.0', '::'])
const isWildcard = (ip: IpAddress) => wildcards.has(ip.text)

const withoutFinalDot = (name: string) => name.replace(/\.$/, '')

function ownLiteral(address: string): string {
  if (address === '' || address === '*') return '::'
  return withoutFinalDot(address.toLowerCase()) === 'localhost' ? '127.0.0.1' : address
}

function shownAs(address: string, ip: IpAddress): string {
  const inner = address === ip.text ? ip.embedded : [ip.text, ...ip.embedded]
  return ip.family === 'ipv6' && ip.embedded.length === 0 ? address : withInner(address, inner)
}

const withInner = (address: string, inner: readonly string[]) =>
  inner.length === 0 ? address : `${address} (${inner.join(', ')})`

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((each) => each?.map((it) => it.address) ?? [])
}
