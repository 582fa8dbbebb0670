import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type Claims = Record<string, unknown>

/** What the provider does otherwise than a good one. */
export interface Mischief {
  claims?: Claims
  header?: Record<string, unknown>
  /** Signs with another key than the one that it publishes. */
  isForged?: boolean
  /** Signs with the public key as a secret. */
  isConfused?: boolean
  metadata?: Record<string, unknown>
  tokenStatus?: number
  /** Bytes before the metadata. */
  paddingBytes?: number
}

const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const good = pair()
const other = pair()

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function signed(claims: Claims, mischief: Mischief): string {
  const header = { alg: 'RS256', kid: 'one', ...mischief.header }
  const input = `${encoded(header)}.${encoded(claims)}`
  if (mischief.isConfused) {
    const pem = good.publicKey.export({ format: 'pem', type: 'spki' })
    return `${input}.${createHmac('sha256', pem).update(input).digest('base64url')}`
  }
  if (header.alg === 'none') return `${input}.`
  const { privateKey } = mischief.isForged ? other : good
  return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`
}

/** An OpenID provider that signs in whom it is told to, and that can be made to break each rule. */
export async function openIdProvider(now: () => Date) {
  let mischief: Mischief = {}
  let person: Claims = {}
  const asked: { path: string; body: string; authorization: string | undefined }[] = []
  const codes = new Map<string, URLSearchParams>()

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/keys`,
    end_session_endpoint: `${issuer}/logout`,
    response_types_supported: ['code'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    ...mischief.metadata,
  })

  function idToken(asking: URLSearchParams): string {
    const seconds = Math.floor(now().getTime() / 1000)
    const claims = {
      iss: issuer,
      aud: asking.get('client_id'),
      iat: seconds,
      exp: seconds + 300,
      nonce: asking.get('nonce'),
      sub: person['sub'],
      ...mischief.claims,
    }
    return signed(claims, mischief)
  }

  function tokenFor(body: URLSearchParams): [status: number, answer: unknown] {
    const code = body.get('code') ?? ''
    const asking = codes.get(code)
    codes.delete(code)
    const challenge = createHash('sha256').update(body.get('code_verifier') ?? '')
    const isKept = asking?.get('code_challenge') === challenge.digest('base64url')
    const isSame = asking?.get('redirect_uri') === body.get('redirect_uri')
    if (!asking || !isKept || !isSame) return [400, { error: 'invalid_grant' }]
    return [
      mischief.tokenStatus ?? 200,
      { access_token: 'an access token', token_type: 'Bearer', id_token: idToken(asking) },
    ]
  }

  async function answerTo(request: IncomingMessage): Promise<[number, unknown]> {
    const path = request.url ?? ''
    const body = await text(request)
    asked.push({ path, body, authorization: request.headers.authorization })
    if (path === '/token') return tokenFor(new URLSearchParams(body))
    if (path === '/userinfo') return [200, person]
    if (path === '/keys')
      return [200, { keys: [{ ...good.publicKey.export({ format: 'jwk' }), kid: 'one' }] }]
    if (path !== '/.well-known/openid-configuration') return [404, {}]
    return [200, { ...metadata(), padding: ' '.repeat(mischief.paddingBytes ?? 0) }]
  }

  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void answerTo(request).then(([status, answer]) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer)),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    issuer,
    asked,
    /** Where the browser lands when this person has signed in. */
    authorize(url: string, who: Claims, wrong: Mischief = {}): string {
      person = who
      mischief = wrong
      const asking = new URL(url).searchParams
      const code = `code-${codes.size}-${asked.length}`
      codes.set(code, asking)
      return new URLSearchParams({ code, state: asking.get('state')!, iss: issuer }).toString()
    },
    misbehave: (wrong: Mischief) => {
      mischief = wrong
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
