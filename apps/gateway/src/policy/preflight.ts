import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { passedField } from './answer-headers.ts'
import type { CorsRules } from './cors/cors.ts'
import type { PolicyRun } from './policy-run.ts'

/**
 * Answers a preflight: an OPTIONS request that names an origin and the method it asks for. Without
 * authentication, because browsers send none with it (Fetch standard).
 */
export function answerPreflight(exchange: Exchange, run: PolicyRun, cors: CorsRules): Verdict {
  const origin = passedField(exchange, 'origin')
  const asked = passedField(exchange, 'access-control-request-method')
  if (origin === undefined || asked === undefined) return 'next'
  run.isPreflight = true
  exchange.sendHead(204, cors.preflightFields(origin, exchange.allow.split(', ')))
  exchange.end()
  return 'stop'
}
