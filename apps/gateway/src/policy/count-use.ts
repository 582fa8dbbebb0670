import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'

/**
 * Counts a use of a token with a quota, or refuses it. What its holder did not send is not counted: an administrator
 * tries the token.
 */
export function countUse(exchange: Exchange): Verdict {
  const { caller, trace, gateway } = exchange
  const quota = caller?.limits?.quota ?? null
  if (caller === null || caller.tokenId === null || quota === null) return 'next'
  const isUse = trace === null || trace.tokenId === null
  const nowMs = Date.now()
  const waitSeconds = gateway.quotas.take(caller.tokenId, quota, nowMs, isUse)
  exchange.quotaLeft = gateway.quotas.left(caller.tokenId, quota, nowMs)
  if (waitSeconds === 0) return 'next'
  return exchange.refuse('client.quota_exceeded', {
    headers: ['Retry-After', String(waitSeconds)],
    detail: `A day: ${quota.per_day ?? 'any'}; a month: ${quota.per_month ?? 'any'}`,
  })
}
