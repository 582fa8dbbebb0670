import type { Exchange } from '../exchange/exchange.ts'
import { traceCall } from './trace-call.ts'
import type { UpstreamCall } from '../exchange/upstream-call.ts'

/** An abandoned answer up to this size is read to keep its connection; a larger one ends it. */
const readOutBytes = 64 * 1024

/**
 * Accounts for a call whose answer is not passed on, and lets go of it. One that failed before the head of an
 * answer has been accounted for already.
 */
export function giveUpCall(exchange: Exchange, call: UpstreamCall): void {
  if (call.status === 0) return
  exchange.upstreamMs += performance.now() - call.startedAtMs
  if (exchange.trace !== null) traceCall(exchange, call)
  const length = call.headers['content-length']
  const isSmall =
    call.status === 304 || (typeof length === 'string' && Number(length) <= readOutBytes)
  if (isSmall) call.drop()
  else call.cancel()
}
