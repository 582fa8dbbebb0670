import type { TrafficPolicy } from '@gatehouse/contract/gateway'
import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { announcesTooMuch, BodyMeter } from './limits/body-size.ts'
import { isFailureStatus } from './resilience/circuit-breaker.ts'
import { clientKey } from './limits/client-key.ts'
import type { PolicyRun } from './policy-run.ts'
import type { PolicyState, PolicyTools } from './policy-state.ts'
import type { RateLimitDecision, RateLimiter } from './limits/rate-limit.ts'

type RateLimitPolicy = NonNullable<TrafficPolicy['rate_limit']>

/** Retry-After where a place may become free at any moment. */
const soonSeconds = '1'

/** Addresses, rate, and size of the body: what is looked at before an answer that is kept is given. */
export function admitRequest(
  exchange: Exchange,
  run: PolicyRun,
  policy: TrafficPolicy,
  state: PolicyState,
  tools: PolicyTools,
): Verdict {
  const { limiter, clients } = state
  if (clients !== null && !clients.takes(exchange.clientAddress)) {
    return exchange.refuse('client.address_denied')
  }
  if (limiter !== null && policy.rate_limit !== null) {
    run.rate ??= countRequest(exchange, run, policy.rate_limit, limiter, tools)
    if (run.rate === null) return 'wait'
    if (!run.rate.isAllowed) {
      const headers = ['Retry-After', String(run.rate.retryAfterSeconds)]
      return exchange.refuse('client.rate_limited', { headers })
    }
  }
  const max = policy.max_body_bytes
  if (max === null || !exchange.hasBody) return 'next'
  if (announcesTooMuch(exchange.contentLength, max)) return exchange.refuse('client.too_large')
  if (exchange.contentLength === -1) measureBody(exchange, run, max)
  return 'next'
}

/** The decision of this server; null: all servers decide, and the exchange goes on when they have. */
function countRequest(
  exchange: Exchange,
  run: PolicyRun,
  { per }: RateLimitPolicy,
  limiter: RateLimiter,
  { limits, nowMs }: PolicyTools,
): RateLimitDecision | null {
  const { caller, clientAddress, endpoint } = exchange
  const client = clientKey(per, {
    quotaKey: caller?.quotaKey ?? null,
    address: clientAddress,
    endpointId: endpoint?.config.id ?? 0,
  })
  const sentMs = nowMs()
  if (!limits.isShared) return limiter.take(client, sentMs)
  const refusal = limiter.refusal(client, sentMs)
  if (refusal !== null) return refusal
  const { limit: requests, windowSeconds } = limiter
  // Other limits of the API, those of its draft among them, before or after a change, count for themselves.
  const key = `${endpoint?.isDraft ? 'draft ' : ''}${endpoint?.api.config.id}:${requests}/${windowSeconds}/${per}:${client}`
  const ahead = limiter.ahead(client, sentMs)
  void limits.take({ key, requests, windowSeconds, ...ahead }).then((taken) => {
    if (taken === null) limiter.keep(client, ahead, sentMs)
    run.rate =
      taken === null ? limiter.take(client, nowMs()) : limiter.adopt(client, taken, sentMs, nowMs())
    exchange.resume()
  })
  return null
}

/** A body in chunks has no known length: it is cut off at the first chunk over the bound. */
function measureBody(exchange: Exchange, run: PolicyRun, maxBytes: number): void {
  const { req } = exchange
  const meter = new BodyMeter(maxBytes)
  const handleData = (chunk: Buffer): void => {
    if (meter.accepts(chunk.length) || exchange.isEnded) return
    req.off('data', handleData)
    const { call } = exchange
    // The call first: the chunk must not reach the upstream.
    call?.cancel()
    if (exchange.isHeadSent) exchange.cut('client.too_large')
    else exchange.refuse('client.too_large')
  }
  // It does not flow before this turn ends; by then the stage that takes the body has its say.
  req.on('data', handleData)
  run.cleanUps.push(() => req.off('data', handleData))
}

/** Open circuit and places: what is looked at before a call is made. */
export function admitCall(
  exchange: Exchange,
  run: PolicyRun,
  state: PolicyState,
  nowMs: number,
): Verdict {
  const { breaker, places } = state
  // A canary that fails must not stop the calls to the others, nor they those to it.
  const admission = run.isCanary ? undefined : breaker?.admit(nowMs)
  if (admission?.isAdmitted === false) {
    const headers = ['Retry-After', String(admission.retryAfterSeconds)]
    return exchange.refuse('upstream.circuit_open', { headers })
  }
  run.breakerTicket = admission ?? null
  if (places === null) return 'next'
  if (!places.enter())
    return exchange.refuse('gateway.busy', { headers: ['Retry-After', soonSeconds] })
  run.hasPlace = true
  return 'next'
}

/** Gives back what the request held, and reports the result of its call to the breaker. */
export function leave(exchange: Exchange, run: PolicyRun, state: PolicyState, tools: PolicyTools) {
  if (run.hasPlace) state.places?.leave()
  const { breaker } = state
  const ticket = run.breakerTicket
  if (breaker === null || ticket === null) return
  switch (verdictOf(exchange, run)) {
    case 'failed':
      return breaker.failed(ticket.isTrial, tools.nowMs())
    case 'succeeded':
      return breaker.succeeded(ticket.isTrial, tools.nowMs())
    case 'unknown':
      return breaker.abandoned(ticket.isTrial)
  }
}

/** A request counts once, with all its retries; refusals of our own say nothing of the upstream. */
function verdictOf({ code, status }: Exchange, run: PolicyRun): 'failed' | 'succeeded' | 'unknown' {
  if (run.hasUpstreamFailed) return 'failed'
  if (code === null) return isFailureStatus(status) ? 'failed' : 'succeeded'
  if (code.startsWith('upstream.')) return 'failed'
  return code.startsWith('procedure.') && isFailureStatus(status) ? 'failed' : 'unknown'
}
