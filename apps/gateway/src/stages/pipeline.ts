import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { authenticate } from './authenticate.ts'
import { authorize } from './authorize.ts'
import { forward } from './forward.ts'
import { guard } from './guard.ts'
import { match } from './match.ts'
import { output } from './output.ts'
import { policy } from './policy.ts'
import { procedure } from './procedure.ts'
import { release } from './release.ts'
import type { Stage } from './stage.ts'
import { transform } from './transform.ts'
import { validate } from './validate.ts'

/**
 * What a request goes through, in this order, on the one snapshot that it began with. A stage answers
 * (most with a refusal) and stops, or lets the next one have it.
 *
 *   guard         client.* 400, 417, 431  what the parser lets through; most end the connection
 *   match         client.not_found 404 · client.method 405 · /healthz · /readyz · policy: preflight (CORS)
 *                 /mcp: client.unauthenticated 401 · client.origin 403; a call of a tool becomes its request
 *   authenticate  client.certificate 403 · client.unauthenticated, client.token_invalid, client.signature 401
 *                 client.rate_limited 429: too much signed
 *   authorize     client.access_denied, client.token_scope, client.internal_only 403 · config.*_disabled, config.api_unreadable 503
 *   policy        admit: rate, concurrency, size, open circuit · lookUp: an answer that is kept
 *   validate      client.unfit 422: what the request holds, against the schemas of its endpoint
 *   transform     client.target 400, client.unfit 422: headers, query, path and body as the endpoint says
 *   output        fixed custom output: X-Gateway-Mock, nothing is called
 *   release       the call of an agent that a person has to release: the control plane stores it, nothing is called
 *   procedure     procedure.*, upstream.*: a stored procedure is called
 *   forward       upstream.* 502, 504: sends the request on and passes the answer back, through a
 *                 template where the endpoint has one
 *
 * Afterwards, however it ended, the exchange accounts for it: log, counters, trace.
 */
const stages: readonly Stage[] = [
  guard,
  match,
  authenticate,
  authorize,
  policy,
  validate,
  transform,
  output,
  release,
  procedure,
  forward,
]

/** Runs the stages from this one on, until one stops. */
export function runStages(exchange: Exchange, first = 0): void {
  for (let at = first; at < stages.length; at++) {
    const stage = stages[at]
    if (stage === undefined) return
    const isResumed = at === first && first > 0
    const nowMs = exchange.trace === null ? 0 : performance.now()
    const sinceMs = isResumed ? exchange.waitingSinceMs : nowMs
    const verdict = stage.run(exchange)
    if (verdict === 'wait') {
      exchange.waitingStage = at
      exchange.waitingSinceMs = sinceMs
      return
    }
    if (exchange.trace !== null) addToTrace(exchange, stage, verdict, sinceMs)
    if (verdict === 'stop') return
  }
}

function addToTrace(exchange: Exchange, stage: Stage, verdict: Verdict, sinceMs: number): void {
  if (verdict === 'stop' && stage.isTracedAtEnd) return
  const outcome = exchange.code === null ? 'answered' : 'refused'
  exchange.trace?.add(
    stage.name,
    verdict === 'next' ? 'passed' : outcome,
    sinceMs === 0 ? exchange.startedAtMs : sinceMs,
    stage.traceDetails(exchange),
    exchange.code,
  )
}
