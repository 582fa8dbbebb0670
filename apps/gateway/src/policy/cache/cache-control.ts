/** Header fields by lower-case name; several of one name are joined with `, `. */
export type CacheFields = Readonly<Record<string, string>>

/**
 * Directives of a Cache-Control field by lower-case name (RFC 9111 §5.2: names ignore case, and
 * values may be quoted). A directive that comes twice with two values is invalid, and
 * kept as the one that caches less: an empty value, which is read as 0 seconds.
 */
export function parseDirectives(value: string | undefined): Map<string, string | true> {
  const directives = new Map<string, string | true>()
  for (const [, name = '', quoted, plain] of (value ?? '').matchAll(
    /([!#$%&'*+\-.^_`|~\w]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"?|([^\s,]*)))?/g,
  )) {
    const key = name.toLowerCase()
    const given = quoted ?? plain ?? true
    const known = directives.get(key)
    directives.set(key, known === undefined || known === given ? given : '')
  }
  return directives
}

/** Seconds of a directive; undefined where it is absent, 0 where it is not a number of seconds. */
export function secondsOf(directives: ReadonlyMap<string, string | true>, name: string) {
  const value = directives.get(name)
  if (value === undefined) return undefined
  return typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : 0
}

/**
 * True where a stale answer may never be used: those directives say so outright, and `s-maxage` says
 * it to shared caches (RFC 9111 §5.2.2).
 */
export function forbidsStale(directives: ReadonlyMap<string, string | true>): boolean {
  return ['must-revalidate', 'proxy-revalidate', 's-maxage', 'no-cache'].some((name) =>
    directives.has(name),
  )
}

/**
 * The field in a form that http-cache-semantics reads correctly: it is case-sensitive, and takes `must-revalidate`
 * and `proxy-revalidate` to forbid the use of a fresh answer too (RFC 9111 §5.2.2.2 forbids that of a
 * stale one alone, which we see to ourselves).
 */
export function readableCacheControl(value: string): string {
  const kept = [...parseDirectives(value)].filter(
    ([name]) => name !== 'must-revalidate' && name !== 'proxy-revalidate',
  )
  const seconds = (name: string) => `${name}=${secondsOf(new Map(kept), name) ?? 0}`
  return kept
    .map(([name]) => (name === 'max-age' || name === 's-maxage' ? seconds(name) : name))
    .join(', ')
}
