import { authenticate } from './authenticate.ts'
import { authorize } from './authorize.ts'
import { callProcedure } from './procedure.ts'
import type { Exchange } from '../exchange/api-policy.ts'
import { forward } from './forward.ts'
import { guard } from './guard.ts'
import { match } from './match.ts'
import { answerFixedOutput } from './output.ts'
import { traceDetails } from './trace-details.ts'
import type { Verdict } from '../exchange/verdict.ts'

/**
 * What a request goes through, in this order, on the one snapshot that it began with. A stage answers
 * (most with a refusal) and stops, or lets the next one have it.
 *
 *   guard         client.* 400, 417, 431  what Node's parser lets through; most end the connection
 *   match         client.not_found 404 · client.method 405 · /healthz · policy: preflight (CORS)
 *   authenticate  client.unauthenticated, client.token_invalid 401
 *   authorize     client.access_denied, client.internal_only 403 · config.*_disabled, config.api_unreadable 503
 *   policy        admit: rate, concurrency, size, open circuit · lookUp: an answer that is kept
 *   output        fixed custom output: X-Gateway-Mock, nothing is called
 *   procedure     procedure.*, upstream.*: a stored procedure is called
 *   forward       upstream.* 502, 504: sends the request on and passes the answer back, through a
 *                 template where the endpoint has one
 *
 * Afterwards, however it ended, the exchange accounts for it: log, counters, trace.
 */
const stages: readonly { name: string; run: (exchange: Exchange) => Verdict }[] = [
  { name: 'guard', run: guard },
  { name: 'match', run: match },
  { name: 'authenticate', run: authenticate },
  { name: 'authorize', run: authorize },
  { name: 'policy', run: applyPolicy },
  { name: 'output', run: answerFixedOutput },
  { name: 'procedure', run: callProcedure },
  { name: 'forward', run: forward },
]

/** Runs the stages until one stops. */
export function runPipeline(exchange: Exchange): void {
  for (let at = 0; at < stages.length; at++) {
    const stage = stages[at]
    if (stage === undefined) return
    const sinceMs = exchange.trace === null ? 0 : performance.now()
    const verdict = stage.run(exchange)
    if (exchange.trace !== null) addToTrace(exchange, stage.name, verdict, sinceMs)
    if (verdict === 'stop') return
  }
}

function addToTrace(exchange: Exchange, name: string, verdict: Verdict, sinceMs: number): void {
  // These two take longer than their first step, and tell of themselves at their end.
  if (verdict === 'stop' && (name === 'forward' || name === 'procedure')) return
  const outcome = exchange.code === null ? 'answered' : 'refused'
  exchange.trace?.add(
    name,
    verdict === 'next' ? 'passed' : outcome,
    sinceMs === 0 ? exchange.startedAtMs : sinceMs,
    traceDetails(exchange, name),
    exchange.code,
  )
}

function applyPolicy(exchange: Exchange): Verdict {
  const policy = exchange.endpoint?.api.policy
  if (!policy) return 'next'
  if (policy.admit !== null && policy.admit(exchange) === 'stop') return 'stop'
  return policy.lookUp === null ? 'next' : policy.lookUp(exchange)
}
