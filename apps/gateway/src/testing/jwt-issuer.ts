import type { JwtAlgorithm, SnapshotIssuer } from '@gatehouse/contract/gateway'
import { constants, createHmac, generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

export const issuerUrl = 'https://login.example.com/'
const audience = 'gatehouse'

const seconds = () => Math.floor(Date.now() / 1_000)

interface SigningKey {
  kid: string | null
  algorithm: JwtAlgorithm
  privateKey: KeyObject
  publicKey: KeyObject
}

/** A key pair that signs with this algorithm. */
export function makeKey(kid: string | null, algorithm: JwtAlgorithm = 'ES256'): SigningKey {
  const curve = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }[algorithm as 'ES256']
  const pair = curve
    ? generateKeyPairSync('ec', { namedCurve: curve })
    : algorithm === 'EdDSA'
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('rsa', { modulusLength: 2_048 })
  return { kid, algorithm, ...pair }
}

/** As an issuer of the snapshot has it. */
export const toSnapshotKey = ({ kid, algorithm, publicKey }: SigningKey) => ({
  kid,
  algorithms: [algorithm],
  jwk: publicKey.export({ format: 'jwk' }) as Record<string, string>,
})

/** An issuer whose claim `roles` gives role 2 for `clerk`. */
export function buildIssuer(
  keys: readonly SigningKey[],
  parts: Partial<SnapshotIssuer> = {},
): SnapshotIssuer {
  return {
    id: 7,
    name: 'Company login',
    issuer: issuerUrl,
    audience,
    algorithms: [...new Set(keys.map(({ algorithm }) => algorithm))],
    skew_seconds: 30,
    role_claim: 'roles',
    roles: [{ value: 'clerk', role_id: 2 }],
    keys: keys.map(toSnapshotKey),
    ...parts,
  }
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Claims that count. */
export const goodClaims = () => ({
  iss: issuerUrl,
  aud: audience,
  sub: 'ann',
  exp: seconds() + 300,
  roles: ['clerk'],
})

/** A JWT as its issuer signs it, where nothing else is said. */
export function signJwt(
  key: SigningKey,
  { claims = {}, header = {} }: { claims?: object; header?: object } = {},
): string {
  const head = { alg: key.algorithm, typ: 'JWT', ...(key.kid ? { kid: key.kid } : {}), ...header }
  const signed = `${encode(head)}.${encode({ ...goodClaims(), ...claims })}`
  return `${signed}.${signatureOf(key, signed).toString('base64url')}`
}

function signatureOf({ algorithm, privateKey }: SigningKey, signed: string): Buffer {
  const hash = algorithm === 'EdDSA' ? null : `sha${algorithm.slice(2)}`
  const isPss = algorithm.startsWith('PS')
  return sign(hash, Buffer.from(signed), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
    ...(isPss
      ? {
          padding: constants.RSA_PKCS1_PSS_PADDING,
          saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
        }
      : {}),
  })
}

/** The attack of 2015: a public key, which everybody knows, is used as the secret of an HMAC. */
export function signWithPublicKey({ publicKey, kid }: SigningKey, secret: string | Buffer): string {
  const head = { alg: 'HS256', typ: 'JWT', kid }
  const signed = `${encode(head)}.${encode(goodClaims())}`
  const key = secret === '' ? publicKey.export({ format: 'pem', type: 'spki' }) : secret
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

/** Takes the signature off. */
export const unsigned = (alg: string, claims: object = {}) =>
  `${encode({ alg, typ: 'JWT' })}.${encode({ ...goodClaims(), ...claims })}.`

/** The same token with other claims, its signature as it was. */
export function withOtherClaims(token: string, claims: object): string {
  const [head, , signature] = token.split('.')
  return [head, encode({ ...goodClaims(), ...claims }), signature].join('.')
}
