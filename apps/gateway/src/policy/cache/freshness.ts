import {
  parseDirectives,
  secondsOf,
  targetedDirectives,
  type CacheFields,
  type Directives,
} from './cache-control.ts'

/** What an answer says to a shared cache, and how long it is fresh by that (RFC 9111 §4.2, RFC 9213 §2.2). */
export interface Freshness {
  readonly directives: Directives
  /** Null: it does not say. */
  readonly lifetimeSeconds: number | null
  /** How old it was when it came. */
  readonly ageSeconds: number
}

export function freshnessOf(fields: CacheFields, nowMs: number): Freshness {
  const targeted = targetedDirectives(fields['cdn-cache-control'])
  const directives = targeted ?? parseDirectives(fields['cache-control'])
  return {
    directives,
    lifetimeSeconds: lifetimeOf(directives, targeted === null ? fields : {}, nowMs),
    ageSeconds: ageOf(fields['age']),
  }
}

function lifetimeOf(directives: Directives, fields: CacheFields, nowMs: number): number | null {
  if (directives.has('no-cache')) return 0
  const stated = secondsOf(directives, 's-maxage') ?? secondsOf(directives, 'max-age')
  if (stated !== undefined) return stated
  const { expires, date } = fields
  if (expires === undefined) return null
  const expiresMs = Date.parse(expires)
  const dateMs = Date.parse(date ?? '')
  // RFC 9111 §5.3: an invalid date is one in the past.
  if (Number.isNaN(expiresMs)) return 0
  return Math.max(0, (expiresMs - (Number.isNaN(dateMs) ? nowMs : dateMs)) / 1_000)
}

/** RFC 9111 §5.1: of a list the first counts, and what is no number of seconds is ignored. */
function ageOf(value: string | undefined): number {
  const first = (value ?? '').split(',', 1)[0]?.trim() ?? ''
  return /^\d+$/.test(first) ? Number(first) : 0
}
