import type { CacheFields } from './cache-control.ts'

/**
 * True where the client has what it asks for already, and 304 is the answer (RFC 9110 §13.2.2):
 * `If-None-Match` decides, compared weakly; without it `If-Modified-Since`.
 */
export function isNotModified(request: CacheFields, answer: CacheFields, status: number): boolean {
  if (status !== 200) return false
  const wanted = request['if-none-match']
  if (wanted !== undefined) {
    if (wanted.trim() === '*') return true
    const etag = answer['etag']
    if (etag === undefined) return false
    const known = wanted.match(/(?:W\/)?"[^"]*"/g) ?? []
    return known.some((each) => opaque(each) === opaque(etag))
  }
  const since = Date.parse(request['if-modified-since'] ?? '')
  // RFC 9111 §4.3.2: an answer that does not say when it was modified is as old as its date.
  const modified = Date.parse(answer['last-modified'] ?? answer['date'] ?? '')
  return !Number.isNaN(since) && !Number.isNaN(modified) && modified <= since
}

const opaque = (etag: string) => etag.replace(/^W\//, '')

/** Fields of a 200 that its 304 carries too (RFC 9110 §15.4.5), `Age` and those of other stages aside. */
export const of304: ReadonlySet<string> = new Set([
  'age',
  'cache-control',
  'content-location',
  'date',
  'etag',
  'expires',
  'last-modified',
  'vary',
])
