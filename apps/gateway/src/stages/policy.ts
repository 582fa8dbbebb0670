import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { countUse } from '../policy/count-use.ts'
import type { Stage } from './stage.ts'

export const policy: Stage = {
  name: 'policy',
  run: applyPolicy,
  traceDetails: ({ policyRun }) => policyRun?.details() ?? {},
}

/**
 * The limits of the API's traffic policy, the quota of the token, then an answer that is kept: where a check
 * follows, after that.
 */
function applyPolicy(exchange: Exchange): Verdict {
  // A preflight was answered before: this asks which methods the path has (RFC 9110 §9.3.7).
  if (exchange.method === 'OPTIONS') {
    exchange.sendHead(204, ['Allow', exchange.allow])
    exchange.end()
    return 'stop'
  }
  const { policy: hooks, caller } = exchange
  const hasQuota = caller !== null && caller.limits !== null && caller.limits.quota !== null
  if (hooks === null) return hasQuota ? countUse(exchange) : 'next'
  const admission = hooks.admit === null ? 'next' : hooks.admit(exchange)
  if (admission !== 'next') return admission
  if (hasQuota && countUse(exchange) === 'stop') return 'stop'
  const isCheckedFirst =
    (exchange.endpoint?.validation ?? null) !== null || exchange.contentDigest !== null
  return isCheckedFirst ? 'next' : lookUp(exchange)
}

/** An answer that is kept, where there is one. A call that a person has to release is never answered by it. */
export function lookUp(exchange: Exchange): Verdict {
  if (exchange.agent?.tool?.config.needs_release) return 'next'
  return exchange.policy?.lookUp?.(exchange) ?? 'next'
}
