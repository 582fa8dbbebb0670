/**
 * Signatures of JWTs that can be asked for (RFC 7518 §3.1, RFC 8037 §3.1). `none` is not among them, and
 * neither is any with a shared secret: a public key can then never be taken for one.
 */
export const jwtAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const
export type JwtAlgorithm = (typeof jwtAlgorithms)[number]
