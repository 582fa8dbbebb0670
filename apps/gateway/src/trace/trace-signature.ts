import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export const traceHeaderName = 'x-gatehouse-trace'

/** HMAC-SHA-256 of a trace's id, in hex. The header reads `{id}.{signature}`. */
export function traceSignature(secret: string, id: string): string {
  return createHmac('sha256', secret).update(id).digest('hex')
}

/** The id of a header whose signature is ours, or undefined. */
export function readTraceHeader(secret: string | null, header: string): string | undefined {
  const [, id, signature] = /^([\w-]{1,64})\.([0-9a-f]{64})$/.exec(header) ?? []
  if (secret === null || id === undefined || signature === undefined) return undefined
  const expected = Buffer.from(traceSignature(secret, id))
  return timingSafeEqual(expected, Buffer.from(signature)) ? id : undefined
}

/**
 * A name for Via (RFC 9110 §7.6.3) that all workers of a gateway share and no other gateway has. No
 * trace can have the id that is signed for it.
 */
export function viaPseudonym(secret: string | null): string {
  const id = secret === null ? randomBytes(6).toString('hex') : traceSignature(secret, 'in Via')
  return `gatehouse-${id.slice(0, 12)}`
}
