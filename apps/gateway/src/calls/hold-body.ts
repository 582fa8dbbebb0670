import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { collectBody } from './upload.ts'

/** Of a body that is read before it goes on. */
export const heldBytesMax = 1024 * 1024

/** Says to wait until the body is here as a whole; next where it is, or there is none. Too large is refused. */
export function holdBody(exchange: Exchange, maxBytes = heldBytesMax): Verdict {
  if (!exchange.hasBody) return 'next'
  if (exchange.contentLength > maxBytes) return exchange.refuse('client.too_large')
  if (exchange.heldBody !== null) return 'next'
  const hold = (bytes: Buffer) => {
    exchange.heldBody = bytes
    exchange.contentLength = bytes.length
    exchange.resume()
  }
  collectBody(exchange, hold, maxBytes)
  return 'wait'
}
