import { saidByOutermost } from '../http/client-rules.ts'
import type { Exchange } from '../exchange/exchange.ts'

/** Of a field that came more than once (RFC 9110 §5.3). */
export const joined = (before: string, value: string): string =>
  before === '' ? value : `${before}, ${value}`

/** Keeps what the outermost trusted proxy was called by. */
export function readForwarded(exchange: Exchange): void {
  const { forwardedProto, forwardedHost, forwardedFor, gateway } = exchange
  exchange.forwardedProto = saidByOutermost(forwardedProto, forwardedFor, gateway.clientRules)
  exchange.forwardedHost = saidByOutermost(forwardedHost, forwardedFor, gateway.clientRules)
}
