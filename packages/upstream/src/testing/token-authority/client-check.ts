import { constants, createPublicKey, verify } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { AuthoritySettings } from './authority-state.ts'

/** Whether the client showed who it is: by Basic, in the body, or by a signed assertion. */
export function isClientKnown(
  settings: AuthoritySettings,
  request: IncomingMessage,
  form: URLSearchParams,
): boolean {
  const assertion = form.get('client_assertion')
  if (assertion !== null) return isAssertionValid(settings, assertion)
  const [id, secret] = basicPair(request) ?? [form.get('client_id'), form.get('client_secret')]
  return id === settings.clientId && secret === settings.clientSecret
}

/** RFC 6749 §2.3.1: both parts are form-encoded. */
function basicPair({ headers }: IncomingMessage): [string, string] | undefined {
  const encoded = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1]
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString()
  const at = pair.indexOf(':')
  const decoded = (part: string) => decodeURIComponent(part.replaceAll('+', ' '))
  return [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))]
}

function isAssertionValid({ publicKey, clientId }: AuthoritySettings, assertion: string): boolean {
  const [head = '', claims = '', signature = ''] = assertion.split('.')
  const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString())
  const { iss, sub, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const padding = alg.startsWith('PS') ? constants.RSA_PKCS1_PSS_PADDING : undefined
  const isSigned = verify(
    `sha${alg.slice(2)}`,
    Buffer.from(`${head}.${claims}`),
    {
      key: createPublicKey(publicKey),
      dsaEncoding: 'ieee-p1363',
      ...(padding ? { padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST } : {}),
    },
    Buffer.from(signature, 'base64url'),
  )
  return isSigned && iss === clientId && sub === clientId && exp * 1_000 > Date.now()
}
