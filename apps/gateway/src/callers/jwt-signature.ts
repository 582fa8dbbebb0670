import type { JwtAlgorithm, SnapshotIssuer } from '@gatehouse/contract/gateway'
import { constants, createPublicKey, verify } from 'node:crypto'
import type { VerifyKeyObjectInput } from 'node:crypto'

type SnapshotKey = SnapshotIssuer['keys'][number]

/** A public key as each of its algorithms uses it. */
export interface VerifyingKey {
  readonly kid: string | null
  readonly inputs: ReadonlyMap<string, VerifyKeyObjectInput>
}

const padding = {
  RS: { padding: constants.RSA_PKCS1_PADDING },
  // RFC 7518 §3.5: the salt is as long as the hash.
  PS: {
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  },
  // RFC 7518 §3.4: both numbers side by side, at full length.
  ES: { dsaEncoding: 'ieee-p1363' },
  Ed: {},
} as const

/**
 * A key with those of its algorithms that the issuer may sign with; null where it has none of them, or can't
 * be read. What a token says its algorithm is only chooses among these.
 */
export function compileKey(
  { kid, algorithms, jwk }: SnapshotKey,
  allowed: readonly JwtAlgorithm[],
): VerifyingKey | null {
  const usable = algorithms.filter((each) => allowed.includes(each))
  if (usable.length === 0) return null
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const inputs = usable.map((name) => [name, { key, ...padding[kindOf(name)] }] as const)
    return { kid, inputs: new Map(inputs) }
  } catch {
    return null
  }
}

const kindOf = (algorithm: JwtAlgorithm) => algorithm.slice(0, 2) as keyof typeof padding

/** `input` is one that `algorithm` names. Never throws: a signature that can't be one is wrong. */
export function isSignedBy(
  input: VerifyKeyObjectInput,
  algorithm: string,
  signed: string,
  signature: string,
): boolean {
  const hash = algorithm === 'EdDSA' ? null : `sha${algorithm.slice(2)}`
  try {
    return verify(hash, Buffer.from(signed), input, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}
