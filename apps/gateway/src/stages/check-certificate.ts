import type { ClientAuthorities } from '../callers/client-authorities.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'

/**
 * Asks for a client certificate of one of these authorities. Its connection can't show another one, so a refusal ends
 * it. An administrator's try shows none and goes on.
 */
export function checkCertificate(exchange: Exchange, authorities: ClientAuthorities): Verdict {
  const { connection, trace } = exchange
  if (trace !== null) return 'next'
  const { certificate, isSecure } = connection
  const message = !isSecure
    ? 'This API is called over TLS that ends at the gateway itself, with a client certificate.'
    : certificate === null
      ? 'This API takes calls with a client certificate alone.'
      : authorities.problem(certificate, Date.now())
  if (message === null) return 'next'
  return exchange.refuse('client.certificate', { message, detail: message, isFatal: true })
}
