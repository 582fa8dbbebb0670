import { parseIp } from './ip-address.ts'

/**
 * The address in one entry of X-Forwarded-For, in its one spelling: some proxies add the port, or write
 * it as Forwarded does (RFC 7239 §6): in quotes, IPv6 in brackets. Undefined: it says none.
 */
export function forwardedAddress(entry: string): string | undefined {
  const quoted = /^"(.*)"$/.exec(entry.trim())?.[1] ?? entry.trim()
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(quoted)?.[1]
  const withPort = /^([\d.]+):\d{1,5}$/.exec(quoted)?.[1]
  return parseIp(bracketed ?? withPort ?? quoted)?.text
}

/**
 * The entry of X-Forwarded-Host or X-Forwarded-Proto that the outermost trusted proxy wrote. Each proxy adds one at
 * the end, as to X-Forwarded-For; `innerProxies` stand between that one and the one that connected. Where fewer
 * have added one, it is the first.
 */
export function entryOfOutermost(list: string, innerProxies: number): string {
  const entries = list.split(',')
  return (entries.at(-1 - innerProxies) ?? entries[0] ?? '').trim()
}
