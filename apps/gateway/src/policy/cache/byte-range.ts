import type { CachedAnswer } from './cached-answer.ts'
import type { CacheFields } from './cache-control.ts'

/** Of a body: the first byte, and that behind the last one. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * The one part of a kept answer that a request asks for (RFC 9110 §14.2); undefined where it is for the upstream to say:
 * several parts, none that is there, or one that is only wanted of another answer.
 */
export function rangeOf(request: CacheFields, answer: CachedAnswer): ByteRange | undefined {
  const read = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(request['range']?.trim() ?? '')
  const size = answer.body.length
  if (read === null || answer.status !== 200 || size === 0) return undefined
  const { 'if-range': ifRange } = request
  // RFC 9110 §13.1.5: compared strongly.
  if (ifRange !== undefined && (ifRange.startsWith('W/') || ifRange !== answer.fields['etag']))
    return undefined
  const [, first = '', last = ''] = read
  if (first === '') {
    const length = Math.min(Number(last), size)
    return last === '' || length === 0 ? undefined : { start: size - length, end: size }
  }
  const start = Number(first)
  const end = last === '' ? size : Math.min(Number(last) + 1, size)
  return start < end ? { start, end } : undefined
}
