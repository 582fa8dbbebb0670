import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import type { Stage } from './stage.ts'

export const policy: Stage = {
  name: 'policy',
  run: applyPolicy,
  traceDetails: ({ policyRun }) => policyRun?.details() ?? {},
}

/** The limits of the API's traffic policy, then an answer that is kept: where a check follows, after that. */
function applyPolicy(exchange: Exchange): Verdict {
  const { policy: hooks } = exchange
  if (hooks === null) return 'next'
  const admission = hooks.admit === null ? 'next' : hooks.admit(exchange)
  if (admission !== 'next') return admission
  const isCheckedFirst = (exchange.endpoint?.validation ?? null) !== null
  return hooks.lookUp === null || isCheckedFirst ? 'next' : hooks.lookUp(exchange)
}
