import { hash, timingSafeEqual } from 'node:crypto'
import { heldBytesMax, holdBody } from '../../calls/hold-body.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { Verdict } from '../../exchange/verdict.ts'
import { refuseSignature } from './verify-signature.ts'

/** Of a signed body, whatever the API takes: it is held in memory. */
const signedBytesMax = 64 * 1024 * 1024
const nothing = Buffer.alloc(0)

/** Holds the body back until it is here as a whole, and against the digest that was signed. */
export function checkDigest(exchange: Exchange, digest: Buffer): Verdict {
  const max = exchange.endpoint?.api.config.policy.max_body_bytes ?? heldBytesMax
  const waiting = holdBody(exchange, Math.min(max, signedBytesMax))
  if (waiting !== 'next') return waiting
  const actual = hash('sha256', exchange.heldBody ?? nothing, 'buffer')
  if (timingSafeEqual(actual, digest)) return 'next'
  return refuseSignature(exchange, 'The body is not that of Content-Digest.')
}
