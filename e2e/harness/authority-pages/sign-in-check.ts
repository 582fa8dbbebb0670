import { createPublicKey, randomUUID, verify, constants } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** A request as the authority received it. */
export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

interface NamedValue {
  name: string
  value: string
}

/** The API of a page, as `POST /api/apis` takes it. */
export interface ApiSignIn {
  static_headers?: NamedValue[]
  credential: {
    kind: string
    headers?: NamedValue[]
    scheme?: string
    [field: string]: unknown
  } | null
}

export interface SignIn {
  /** The answer to a call that asks for a token with the right secrets; otherwise undefined. */
  login(request: Received): string | undefined
  accepts(request: Received): boolean
}

const basic = (user: unknown, password: unknown) =>
  `Basic ${Buffer.from(`${String(user)}:${String(password)}`).toString('base64')}`

/** What an authority checks of the requests of an API. */
export function signInOf({ credential, static_headers = [] }: ApiSignIn): SignIn {
  const tokens = new Set<string>()
  const hasAll = ({ headers }: Received, wanted: readonly NamedValue[]) =>
    wanted.every(({ name, value }) => {
      const shown = String(headers[name.toLowerCase()] ?? '')
      return value === '{uuid}' ? /^[0-9a-f-]{36}$/.test(shown) : shown === value
    })
  const isSignedIn = (request: Received) => {
    const shown = request.headers.authorization ?? ''
    if (credential === null) return true
    if (credential.kind === 'basic')
      return shown === basic(credential['username'], credential['password'])
    if (credential.kind === 'bearer') return shown === `Bearer ${String(credential['token'])}`
    if (credential.kind === 'headers') return hasAll(request, credential.headers ?? [])
    const { scheme = 'Bearer' } = credential
    return shown.startsWith(`${scheme} `) && tokens.has(shown.slice(scheme.length + 1))
  }
  return {
    accepts: (request) => isSignedIn(request) && hasAll(request, static_headers),
    login: (request) => {
      const asked = credential?.['token_url'] ?? credential?.['url']
      if (credential === null || typeof asked !== 'string') return undefined
      if (new URL(asked).pathname !== request.path || !knows(credential, request)) return undefined
      const token = randomUUID()
      tokens.add(token)
      if (credential.kind === 'login_call')
        return JSON.stringify({ status: 'success', data: { token, expires_in: 7200 } })
      return JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: 3600 })
    },
  }
}

/** Whether a call for a token shows the secrets of the client. */
function knows(credential: NonNullable<ApiSignIn['credential']>, { headers, body }: Received) {
  const form = new URLSearchParams(body)
  const has = (field: string) => form.get(field) === credential[field]
  if (credential.kind === 'login_call')
    return (credential.headers ?? []).every(({ name, value }) => headers[name] === value)
  if (credential.kind === 'oauth2_refresh_token' && !has('refresh_token')) return false
  switch (credential['client_authentication']) {
    case 'body':
      return has('client_id') && has('client_secret')
    case 'private_key_jwt':
      return isSigned(form.get('client_assertion') ?? '', String(credential['private_key']))
    default:
      return headers.authorization === basic(credential['client_id'], credential['client_secret'])
  }
}

/** PS256 (RFC 7518 §3.5). */
function isSigned(assertion: string, privateKey: string): boolean {
  const [head = '', claims = '', signature = ''] = assertion.split('.')
  const key = {
    key: createPublicKey(privateKey),
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: 32,
  }
  return verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    key,
    Buffer.from(signature, 'base64url'),
  )
}
