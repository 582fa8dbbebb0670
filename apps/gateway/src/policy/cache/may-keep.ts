import type { CacheFields, Directives } from './cache-control.ts'
import type { AnswerHead, CacheRequest } from './cache-request.ts'
import type { Freshness } from './freshness.ts'

export const hasValidator = (fields: CacheFields) =>
  fields['etag'] !== undefined || fields['last-modified'] !== undefined

/** Statuses whose answers may be kept although they do not say how long they are fresh (RFC 9110 §15.1). */
const understood = new Set([200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501])

/** It will be given out as it is for a time, or its upstream can be asked whether it still holds. */
export const isUseful = ({ status, fields }: AnswerHead, { lifetimeSeconds }: Freshness): boolean =>
  (lifetimeSeconds ?? 0) > 0 || (understood.has(status) && hasValidator(fields))

/** RFC 9111 §3 and §3.5, and what we rule out on top of it. */
export function mayKeep(
  request: CacheRequest,
  { status, fields }: AnswerHead,
  directives: Directives,
): boolean {
  if (fields['set-cookie'] !== undefined || status === 206 || status === 304) return false
  if (/\*/.test(fields['vary'] ?? '') || directives.has('private')) return false
  // RFC 9111 §5.2.2.3: it replaces no-store where the status is understood.
  if (directives.has('must-understand')) {
    if (!understood.has(status)) return false
  } else if (directives.has('no-store')) return false
  // RFC 9111 §3.5, without must-revalidate; what else identifies a caller is treated alike.
  return !isPersonal(request.fields) || directives.has('public') || directives.has('s-maxage')
}

/** True where a request identifies its sender. */
export const isPersonal = (fields: CacheFields): boolean =>
  fields['authorization'] !== undefined ||
  fields['cookie'] !== undefined ||
  fields['x-api-key'] !== undefined
