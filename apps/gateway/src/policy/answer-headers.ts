import type { FieldBlock } from '@gatehouse/http1'
import type { Exchange } from '../exchange/exchange.ts'
import { isCorsField, withVaryOrigin } from './cors/cors.ts'
import type { PolicyRun } from './policy-run.ts'
import type { PolicyState } from './policy-state.ts'
import { rateLimitFields } from './limits/rate-limit.ts'

/**
 * Adds what the policy says of an answer, in place: `headers` is name, value, name, value. Fields of
 * the upstream with the same purpose are removed.
 */
export function addPolicyHeaders(
  exchange: Exchange,
  run: PolicyRun | null,
  { cors, limiter }: PolicyState,
  headers: string[],
): void {
  if (run?.isPreflight === true) return
  if (cors !== null) {
    const vary = takeOut(headers, (name) => name === 'vary')
    takeOut(headers, isCorsField)
    const all = vary.length === 0 ? undefined : vary.join(', ')
    if (cors.variesByOrigin) headers.push('Vary', withVaryOrigin(all))
    else if (all !== undefined) headers.push('Vary', all)
    headers.push(...cors.answerFields(passedField(exchange, 'origin')))
  }
  if (limiter !== null && run?.rate) {
    takeOut(headers, (name) => name.startsWith('ratelimit'))
    headers.push(...rateLimitFields(limiter, run.rate))
  }
  if (run?.cacheStatus) headers.push('Cache-Status', run.cacheStatus)
}

/** Whether it would remove one of these fields, or put another in its place. */
export const changesFields = ({ cors, limiter }: PolicyState, fields: FieldBlock): boolean =>
  cors !== null || (limiter !== null && fields.hasNameLike('ratelimit'))

/** A header field of the request; the first, where it came more than once. */
export function passedField({ passed }: Exchange, lowerName: string): string | undefined {
  for (let at = 0; at < passed.length; at += 2) {
    if (passed[at]?.toLowerCase() === lowerName) return passed[at + 1]
  }
  return undefined
}

/** Removes the fields whose lower-case name fits, and returns their values. */
function takeOut(headers: string[], isMeant: (lowerName: string) => boolean): string[] {
  const taken: string[] = []
  let kept = 0
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? ''
    const value = headers[at + 1] ?? ''
    if (isMeant(name.toLowerCase())) taken.push(value)
    else {
      headers[kept++] = name
      headers[kept++] = value
    }
  }
  headers.length = kept
  return taken
}
