import { createPublicKey, X509Certificate, type KeyObject } from 'node:crypto'
import { jwtAlgorithms, type JwtAlgorithm, type SnapshotIssuer } from '@gatehouse/contract'

export type IssuerKey = SnapshotIssuer['keys'][number]

const keysMax = 100
const kidMaxLength = 500
/** RFC 7518 §3.3; beyond the upper bound a verification takes milliseconds. */
const rsaBits = { min: 2_048, max: 8_192 }

/** Why these can't be the keys of an issuer, for an administrator to read. */
export class KeysProblem extends Error {
  override name = 'KeysProblem'
}

/**
 * The public keys in a JWK set (RFC 7517), a JWK or PEM. Keys for other uses and of other kinds are left out.
 * Throws `KeysProblem` where none is left, or where a private key is among them.
 */
export function readKeys(text: string): IssuerKey[] {
  const keys = /-----BEGIN /.test(text) ? readPem(text) : readJwks(text)
  if (keys.length === 0) throw new KeysProblem('There is no key among them that signs tokens.')
  if (keys.length > keysMax) throw new KeysProblem(`There are more than ${keysMax} keys.`)
  return keys
}

function readPem(text: string): IssuerKey[] {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) throw privateKey()
  const blocks = text.match(/-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----/g) ?? []
  return blocks.slice(0, keysMax + 1).map((block) => {
    try {
      const isCertificate = block.startsWith('-----BEGIN CERTIFICATE-----')
      const key = isCertificate ? new X509Certificate(block).publicKey : createPublicKey(block)
      return toIssuerKey(key, null, undefined) ?? refuseKind()
    } catch (error) {
      throw error instanceof KeysProblem ? error : new KeysProblem('This PEM holds no public key.')
    }
  })
}

function refuseKind(): never {
  throw new KeysProblem(
    'A key must be RSA of 2048 to 8192 bits, or of a curve P-256, P-384, P-521 or Ed25519.',
  )
}

const privateKey = () =>
  new KeysProblem('There is a private key among them. Only public keys belong here.')

function readJwks(text: string): IssuerKey[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new KeysProblem('This is neither a JWK set nor PEM.')
  }
  const { keys = [value] } = (value ?? {}) as { keys?: unknown }
  if (!Array.isArray(keys)) throw new KeysProblem('The member keys of a JWK set is a list.')
  return keys.slice(0, keysMax + 1).flatMap((jwk: unknown) => readJwk(jwk) ?? [])
}

/** Undefined for a key of another use or kind: it verifies nothing here. */
function readJwk(given: unknown): IssuerKey | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  const { kid, use, alg, key_ops, d, kty } = given as Record<string, unknown>
  if (d !== undefined) throw privateKey()
  const isOther =
    kty === 'oct' ||
    (use !== undefined && use !== 'sig') ||
    (Array.isArray(key_ops) && !key_ops.includes('verify'))
  const isNamed = kid === undefined || (typeof kid === 'string' && kid.length <= kidMaxLength)
  if (isOther || !isNamed) return undefined
  try {
    const key = createPublicKey({ key: given, format: 'jwk' })
    return toIssuerKey(key, kid ?? null, alg)
  } catch {
    return undefined
  }
}

/** Undefined where it has no algorithm. `alg` narrows it to one. */
function toIssuerKey(key: KeyObject, kid: string | null, alg: unknown): IssuerKey | undefined {
  const own = algorithmsOf(key)
  const algorithms = alg === undefined ? own : own.filter((each) => each === alg)
  if (algorithms.length === 0) return undefined
  return { kid, algorithms, jwk: key.export({ format: 'jwk' }) as Record<string, string> }
}

const ofCurve: Readonly<Record<string, JwtAlgorithm>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
}

function algorithmsOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): JwtAlgorithm[] {
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails ?? {}
  if (asymmetricKeyType === 'ed25519') return ['EdDSA']
  if (asymmetricKeyType === 'ec')
    return Object.hasOwn(ofCurve, namedCurve) ? [ofCurve[namedCurve]!] : []
  const isRsa = asymmetricKeyType === 'rsa'
  if (!isRsa || modulusLength < rsaBits.min || modulusLength > rsaBits.max) return []
  return jwtAlgorithms.filter((each) => /^[RP]S/.test(each))
}

/** The kind of a key in a word. */
export function kindOfKey({ jwk }: IssuerKey): string {
  const { kty, crv = '', n = '' } = jwk
  return kty === 'RSA' ? `RSA ${Buffer.from(n, 'base64url').length * 8}` : crv
}
