import { createHmac } from 'node:crypto'

/** What is signed: each component with its value, then the parameters of the signature (RFC 9421 §2.5). */
export function signatureBase(
  components: readonly (readonly [name: string, value: string])[],
  params: string,
): string {
  const lines = components.map(([name, value]) => `"${name}": ${value}\n`)
  return `${lines.join('')}"@signature-params": ${params}`
}

/** RFC 9421 §3.3.3. Characters of the base stand for the bytes of the head. */
export const hmacOf = (secret: string | Buffer, base: string): Buffer =>
  createHmac('sha256', secret).update(base, 'latin1').digest()
