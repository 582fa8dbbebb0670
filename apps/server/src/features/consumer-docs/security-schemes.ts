import type { ServedApi, ServedEndpoint } from '@gatehouse/contract'

export type AskingApi = Pick<
  ServedApi,
  'key_header' | 'takes_jwts' | 'is_signed' | 'asks_certificate'
>

const personalToken = {
  type: 'http',
  scheme: 'bearer',
  description: 'A personal access token, `ghp_…`: `Authorization: Bearer ghp_…`.',
}

const jwt = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: 'A JWT of an issuer that the gateway trusts: `Authorization: Bearer eyJ…`.',
}

const signature = {
  type: 'apiKey',
  in: 'header',
  name: 'Signature',
  description: [
    'HMAC-SHA256 by RFC 9421 with the signing secret of a personal access token, over `@method`, `@target-uri`',
    'and, where there is a body, `content-digest` (`sha-256`). `Signature-Input` has `created`, `keyid` (the id of',
    'the token), `alg="hmac-sha256"` and perhaps `nonce`. Each signature counts once.',
  ].join(' '),
}

const keyScheme = (header: string) => `token_in_${header.toLowerCase()}`

const clientCertificate = {
  type: 'mutualTLS',
  description: 'A client certificate of an authority that the API names.',
}

/** Which schemes open an endpoint: one of the list, with all that it names. */
export function securityOf(
  api: AskingApi,
  { requires_token }: Pick<ServedEndpoint, 'requires_token'>,
): Record<string, []>[] {
  const proofs = requires_token ? proofsOf(api) : []
  if (!api.asks_certificate) return proofs.map((name) => ({ [name]: [] }))
  if (proofs.length === 0) return [{ client_certificate: [] }]
  return proofs.map((name) => ({ client_certificate: [], [name]: [] }))
}

function proofsOf({ key_header, takes_jwts, is_signed }: AskingApi): string[] {
  if (is_signed) return ['signature']
  return [
    'personal_token',
    ...(takes_jwts ? ['jwt'] : []),
    ...(key_header === null ? [] : [keyScheme(key_header)]),
  ]
}

/** Those that operations of these APIs may name (OpenAPI 3.1.1 §4.8.27). */
export function securitySchemes(apis: readonly AskingApi[]): Record<string, object> {
  const schemes: Record<string, object> = { personal_token: personalToken }
  for (const { key_header: name, takes_jwts, is_signed, asks_certificate } of apis) {
    if (takes_jwts) schemes['jwt'] = jwt
    if (asks_certificate) schemes['client_certificate'] = clientCertificate
    if (is_signed) schemes['signature'] = signature
    else if (name !== null) {
      const description = 'The same token, alone, without a scheme.'
      schemes[keyScheme(name)] = { type: 'apiKey', in: 'header', name, description }
    }
  }
  return schemes
}
