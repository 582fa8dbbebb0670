import type { CacheFields } from './cache-control.ts'

/** Where an answer came from, as its client and its upstream name it. */
interface Origin {
  /** `http://host:port` of the upstream, and the path that it begins with. */
  readonly upstream: string
  readonly basePath: string
  /** What clients call in front of the path that the upstream is asked for. */
  readonly prefix: string
  readonly host: string
  /** Path and query as the upstream is asked for them. */
  readonly url: string
}

/**
 * Addresses whose kept answers are out of date after a write, beside its own: those of Location and Content-Location (RFC
 * 9111 §4.4), where they are of the same origin. The upstream may name them as it is called, or as clients call it.
 */
export function invalidatedBy(fields: CacheFields, origin: Origin): string[] {
  const base = origin.upstream + origin.basePath + origin.url
  return ['location', 'content-location'].flatMap((name) => {
    const value = fields[name]
    if (value === undefined || !URL.canParse(value, base)) return []
    const { origin: other, host, pathname, search } = new URL(value, base)
    if (other !== origin.upstream && host !== origin.host.toLowerCase()) return []
    return [origin.basePath, origin.prefix]
      .filter((beginning) => pathname.startsWith(beginning))
      .map((beginning) => pathname.slice(beginning.length) + search)
  })
}
