import type { VerifyingKey } from './jwt-signature.ts'
import { isSignedBy } from './jwt-signature.ts'

/** An issuer as tokens are held against it. */
export interface VerifyingIssuer {
  readonly audience: string
  readonly skewMs: number
  readonly keys: readonly VerifyingKey[]
}

type Fields = Readonly<Record<string, unknown>>

/** A token that was taken apart, and nothing of it believed yet. */
export interface ReadJwt {
  readonly header: Fields
  readonly claims: Fields
  readonly signed: string
  readonly signature: string
}

/** Why a token does not count, for the log. */
type JwtProblem =
  | 'unknown_key'
  | 'ambiguous_key'
  | 'algorithm'
  | 'header'
  | 'signature'
  | 'expired'
  | 'not_yet_valid'
  | 'audience'
  | 'claims'

type JwtVerdict = { ok: true; expiresAtMs: number } | { ok: false; problem: JwtProblem }

const tokenMaxLength = 8_192
/** Of keys that a token without `kid` may be signed with: each of them costs a verification. */
const triedMax = 4
/** What headers may call themselves (RFC 7519 §5.1, RFC 9068 §2.1): tokens for other uses are none of ours. */
const types = new Set<unknown>([undefined, 'jwt', 'at+jwt', 'application/at+jwt'])

/** Undefined where it is no JWT: three parts in base64url, of which two are JSON objects. */
export function readJwt(text: string): ReadJwt | undefined {
  if (text.length > tokenMaxLength) return undefined
  const parts = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(text)
  if (parts === null) return undefined
  const [, head = '', body = '', signature = ''] = parts
  const header = readObject(head)
  const claims = readObject(body)
  if (header === undefined || claims === undefined) return undefined
  return { header, claims, signed: `${head}.${body}`, signature }
}

function readObject(part: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.assign(Object.create(null) as Record<string, unknown>, value)
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether a token counts (RFC 7519 §7.2, RFC 8725). Keys come from the issuer alone: `jku`, `jwk`, `x5u` and
 * `x5c` are not looked at, and `kid` is only compared. The signature is verified before any claim is believed.
 */
export function verifyJwt(jwt: ReadJwt, issuer: VerifyingIssuer, nowMs: number): JwtVerdict {
  const { header } = jwt
  const type = typeof header['typ'] === 'string' ? header['typ'].toLowerCase() : header['typ']
  // What `crit` names has to be understood, and nothing is (RFC 7515 §4.1.11).
  if (header['crit'] !== undefined || !types.has(type)) return refused('header')
  const problem = signatureProblem(jwt, issuer.keys)
  return problem === null ? judgeClaims(jwt.claims, issuer, nowMs) : refused(problem)
}

const refused = (problem: JwtProblem): JwtVerdict => ({ ok: false, problem })

function signatureProblem(
  { header, signed, signature }: ReadJwt,
  keys: readonly VerifyingKey[],
): JwtProblem | null {
  const { alg, kid } = header
  if (typeof alg !== 'string' || (kid !== undefined && typeof kid !== 'string')) return 'header'
  const named = keys.filter((key) => key.kid === null || kid === undefined || key.kid === kid)
  if (named.length === 0) return 'unknown_key'
  const inputs = named.flatMap((key) => key.inputs.get(alg) ?? [])
  if (inputs.length === 0) return 'algorithm'
  if (inputs.length > triedMax) return 'ambiguous_key'
  return inputs.some((input) => isSignedBy(input, alg, signed, signature)) ? null : 'signature'
}

function judgeClaims(
  claims: Fields,
  { audience, skewMs }: VerifyingIssuer,
  nowMs: number,
): JwtVerdict {
  const { exp, nbf, aud, sub } = claims
  if (!isMoment(exp) || (nbf !== undefined && !isMoment(nbf))) return refused('claims')
  if (sub !== undefined && !isSubject(sub)) return refused('claims')
  const meant: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  if (!meant.includes(audience)) return refused('audience')
  const expiresAtMs = exp * 1_000 + skewMs
  if (expiresAtMs <= nowMs) return refused('expired')
  if (nbf !== undefined && nbf * 1_000 - skewMs > nowMs) return refused('not_yet_valid')
  return { ok: true, expiresAtMs }
}

/** OpenID Connect Core §2: at most 255 characters. */
const isSubject = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 255

const isMoment = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value)
