/** Header fields by lower-case name; several of one name are joined with `, `. */
export type CacheFields = Readonly<Record<string, string>>

/** By lower-case name. */
export type Directives = ReadonlyMap<string, string | true>

/**
 * Directives of a Cache-Control field by lower-case name (RFC 9111 §5.2: names ignore case, and
 * values may be quoted). A directive that comes twice with two values is invalid, and
 * kept as the one that caches less: an empty value, which is read as 0 seconds.
 */
export function parseDirectives(value: string | undefined): Directives {
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

/** RFC 9111 §1.2.2: what is more than can be counted is this much. */
const secondsMax = 2 ** 31

/** Seconds of a directive; undefined where it is absent, 0 where it is not a number of seconds. */
export function secondsOf(directives: Directives, name: string) {
  const value = directives.get(name)
  if (value === undefined) return undefined
  return typeof value === 'string' && /^\d+$/.test(value) ? Math.min(Number(value), secondsMax) : 0
}

/**
 * True where a stale answer may never be used: those directives say so outright, and `s-maxage` says
 * it to shared caches (RFC 9111 §5.2.2).
 */
export function forbidsStale(directives: Directives): boolean {
  return ['must-revalidate', 'proxy-revalidate', 's-maxage', 'no-cache'].some((name) =>
    directives.has(name),
  )
}

const item = String.raw`(?:"(?:[ !#-\[\]-~]|\\["\\])*"|[?][01]|-?\d{1,15}(?:\.\d{1,3})?|[A-Za-z*][\w!#$%&'*+.^\x60|~:/-]*)`
const key = String.raw`[a-z*][a-z0-9_.*-]*`
const member = String.raw`(?:${key})(?:=${item})?(?:; *${key}(?:=${item})?)*`
/** A dictionary of structured fields (RFC 8941 §3.2), without inner lists: no directive has one. */
const dictionary = new RegExp(String.raw`^ *${member}(?:[ \t]*,[ \t]*${member})* *$`)
const members = new RegExp(String.raw`(${key})(?:=(${item}))?(?:; *${key}(?:=${item})?)*`, 'g')

/**
 * Directives of a field that is meant for caches such as this one (RFC 9213 §2.1): then nothing else counts. Null: there is
 * none, or it is empty or no dictionary, and is ignored.
 */
export function targetedDirectives(value: string | undefined): Directives | null {
  if (value === undefined || !dictionary.test(value)) return null
  const directives = new Map<string, string | true>()
  for (const [, name = '', given] of value.matchAll(members)) {
    if (given === '?0') directives.delete(name)
    else directives.set(name, given === undefined || given === '?1' ? true : given)
  }
  return directives
}
