import type { TrafficPolicy } from '@gatehouse/contract/gateway'
import type { Exchange } from '../exchange/exchange.ts'
import { callUpstream } from '../calls/call-upstream.ts'
import type { UpstreamCall } from '../exchange/upstream-call.ts'
import type { UpstreamTarget } from '../snapshot/upstream-origins.ts'
import { giveUpCall } from '../calls/given-up-call.ts'
import type { PolicyRun } from './policy-run.ts'
import type { PolicyTools } from './policy-state.ts'
import { retryDelayMs } from './resilience/retry.ts'

interface Retrying {
  settings: NonNullable<TrafficPolicy['retries']>
  tools: PolicyTools
  nextTarget: (exchange: Exchange) => UpstreamTarget | null
}

/** Schedules the call again where the policy says so. True: it is scheduled. */
export function retryCall(
  { settings, tools, nextTarget }: Retrying,
  exchange: Exchange,
  run: PolicyRun,
  call: UpstreamCall,
): boolean {
  const { body } = call.request
  const failure = call.failure?.failure
  if (body !== null && !Buffer.isBuffer(body)) return false
  if (failure === 'aborted' || failure === 'blocked_address') return false
  const retryAfter = call.headers['retry-after']
  const delayMs = retryDelayMs(
    settings,
    {
      method: exchange.method,
      isRepeatable: exchange.endpoint?.config.is_repeatable ?? false,
      retries: run.retries,
      isSent: call.isSent,
      status: call.status === 0 ? undefined : call.status,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      leftMs: (exchange.endpoint?.answerTimeoutMs ?? 0) - (tools.nowMs() - exchange.startedAtMs),
    },
    () => tools.random(),
    tools.dateMs(),
  )
  if (delayMs === undefined) return false
  run.retries++
  giveUpCall(exchange, call)
  exchange.detail = null
  const again = (): void => {
    const target = nextTarget(exchange)
    if (target !== null) callUpstream(exchange, target, body)
  }
  const cancel = tools.schedule(again, delayMs)
  // A client that leaves during the pause cancels the retry.
  exchange.call = { cancel }
  return true
}
