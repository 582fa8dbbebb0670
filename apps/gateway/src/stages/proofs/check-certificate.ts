import type { ClientAuthorities } from '../../callers/client-authorities.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { Verdict } from '../../exchange/verdict.ts'

/**
 * Asks for a client certificate of one of these authorities. Its connection can't show another one, so a refusal ends
 * it. An administrator's try shows none and goes on.
 */
export function checkCertificate(exchange: Exchange, authorities: ClientAuthorities): Verdict {
  const { connection, trace } = exchange
  if (trace !== null) return 'next'
  const message = authorities.problem(connection, Date.now())
  if (message === null) return 'next'
  return exchange.refuse('client.certificate', { message, detail: message, isFatal: true })
}
