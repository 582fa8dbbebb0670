import { hopByHopNames, isHeaderName } from '@gatehouse/contract/request'

export { hopByHopNames }

/** Field names are lower case throughout, as both undici and node hand them out. */
export type HeaderRecord = Record<string, string>

/** Fields that the client itself decides: what the caller says of them is dropped. */
const clientNames: ReadonlySet<string> = new Set([
  'accept-encoding',
  'content-length',
  'expect',
  'host',
])

/**
 * Removes headers that belong to one connection and must not be forwarded (RFC 9110 §7.6.1).
 * Names listed in `Connection` are removed too. Names must be lower case. Returns a new object.
 */
export function stripHopByHopHeaders(headers: Readonly<HeaderRecord>): HeaderRecord {
  const nominated = new Set(
    (headers['connection'] ?? '').split(',').map((name) => name.trim().toLowerCase()),
  )
  const kept = createHeaderRecord()
  for (const [name, value] of Object.entries(headers)) {
    if (!hopByHopNames.has(name) && !nominated.has(name)) kept[name] = value
  }
  return kept
}

/**
 * What is wrong with a header field, or undefined (RFC 9110 §5.1, §5.5). Carriage return, line feed
 * and NUL would let one field become two; a character above U+00FF would lose its upper bits on the
 * wire and could turn into one of them. The text never shows the value: it may be a secret.
 */
export function headerProblem(name: string, value: string): string | undefined {
  if (!isHeaderName(name)) {
    return `${JSON.stringify(name.slice(0, 64))} is not a header name`
  }
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    return `the value of the header ${name} holds characters that a header may not hold`
  }
  return undefined
}

/** The fields of both; where both have one, in whatever case, the value of `over` wins. */
export function mergeHeaders(
  base: Readonly<HeaderRecord>,
  over: Iterable<readonly [name: string, value: string]>,
): HeaderRecord {
  const merged = createHeaderRecord()
  Object.assign(merged, base)
  for (const [name, value] of over) {
    const lower = name.toLowerCase()
    for (const known of Object.keys(merged)) if (known.toLowerCase() === lower) delete merged[known]
    merged[name] = value
  }
  return merged
}

type RequestHeaders = { ok: true; headers: HeaderRecord } | { ok: false; message: string }

/** The headers as they are sent: checked, lower-cased, hop-by-hop removed, no compression asked for. */
export function toRequestHeaders(given: Readonly<HeaderRecord>): RequestHeaders {
  const named = createHeaderRecord()
  for (const [name, value] of Object.entries(given)) {
    const problem = headerProblem(name, value)
    if (problem) return { ok: false, message: problem }
    const lower = name.toLowerCase()
    if (lower in named) return { ok: false, message: `the header ${lower} is given twice` }
    named[lower] = value
  }
  const headers = stripHopByHopHeaders(named)
  for (const name of clientNames) delete headers[name]
  headers['accept-encoding'] = 'identity'
  return { ok: true, headers }
}

/** Joins raw name-value pairs as they came over the wire (RFC 9110 §5.3), read as latin1. */
export function joinRawHeaders(raw: readonly (Buffer | string)[]): HeaderRecord {
  const joined = createHeaderRecord()
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = latin1(raw[at]).toLowerCase()
    const value = latin1(raw[at + 1])
    joined[name] = name in joined ? `${joined[name]}, ${value}` : value
  }
  return joined
}

const latin1 = (bytes: Buffer | string | undefined) =>
  typeof bytes === 'string' ? bytes : (bytes?.toString('latin1') ?? '')

/** Without a prototype: an upstream may well send a header named `__proto__`. */
const createHeaderRecord = (): HeaderRecord => Object.create(null)
