import type { KeyObject } from 'node:crypto'
import { fieldsOf, octetsOf, onlyElement, tags } from './ber.ts'

/** At twice that a signature takes eight times as long: about a second. */
const rsaBitsMax = 8_192

export const slowKeyWords = `An RSA key may have ${rsaBitsMax} bits and two factors at most.`

/**
 * True for an RSA key that takes long to sign with. Each connection and each client assertion is a signature, and
 * OpenSSL takes a key as it is: its numbers may be of any size, also those that should follow from the modulus.
 */
export function isSlowKey(key: KeyObject): boolean {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  if ((details?.modulusLength ?? 0) > rsaBitsMax) return true
  if (type !== 'rsa' && type !== 'rsa-pss') return false
  const info = onlyElement(key.export({ format: 'der', type: 'pkcs8' }), tags.sequence)
  const numbers = fieldsOf(onlyElement(octetsOf(fieldsOf(info)[2]), tags.sequence))
  // RFC 8017 appendix A.1.2: version, modulus, two exponents, then two factors with three numbers of their size.
  const sizes = numbers.map(({ content }) => content.length - 1)
  const [, modulus = 0, , exponent = 0, ...ofFactors] = sizes
  return sizes.length !== 9 || exponent > modulus || Math.max(...ofFactors) > modulus / 2 + 1
}
