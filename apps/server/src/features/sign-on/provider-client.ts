import type { HttpUpstream } from '@gatehouse/upstream'
import * as oauth from 'oauth4webapi'
import type { Clock } from '../../kernel/clock.ts'
import type { SignOnAttempt } from './attempt-cookie.ts'

const connectTimeoutMs = 5_000
const answerTimeoutMs = 10_000
const maxAnswerBytes = 512 * 1024
/** For how long what a provider says of itself counts. */
const freshMs = 10 * 60_000
/** For how long a provider that did not answer is not asked again. */
const failedMs = 5_000
const toleranceSeconds = 60

export interface ProviderAccount {
  issuer: string
  clientId: string
  /** Blank: the client has none. */
  clientSecret: string
  scopes: string
}

/** Longer ones are left out: the address of a logout holds them. */
const hintMaxLength = 4_000

export type Claims = Readonly<Record<string, unknown>> & { sub: string }

/** The provider was not asked, or has not answered with what is understood. */
export class ProviderUnreachable extends Error {
  override readonly name = 'ProviderUnreachable'
}

/** What a provider says of itself, also while it is asked. */
interface Asked {
  issuer: string
  at: number
  countsMs: number
  metadata: Promise<oauth.AuthorizationServer>
}

interface FetchOptions {
  method: string
  headers: Record<string, string>
  body?: unknown
}

interface ProviderClientOptions {
  upstream: HttpUpstream
  clock: Clock
}

/**
 * Speaks OpenID Connect with a provider. Each call goes once, through the address guard, in 15 s and 512 KiB at
 * most, without redirects. Throws `ProviderUnreachable`, or what the library throws for an answer that does not hold.
 */
export class ProviderClient {
  readonly #options: ProviderClientOptions
  readonly #stopping = new AbortController()
  #known: Asked | undefined

  constructor(options: ProviderClientOptions) {
    this.#options = options
  }

  /** Breaks off what is under way. */
  stop(): void {
    this.#stopping.abort()
  }

  /** What the provider says of itself: asked once for all who wait, and not again at once where that failed. */
  async metadataOf(issuer: string): Promise<oauth.AuthorizationServer> {
    const now = () => this.#options.clock.now().getTime()
    const known = this.#known
    const ageMs = known?.issuer === issuer ? now() - known.at : -1
    if (known && ageMs >= 0 && ageMs < known.countsMs) return known.metadata
    const asked = { issuer, at: now(), countsMs: freshMs, metadata: this.#discover(issuer) }
    this.#known = asked
    asked.metadata.catch(() => Object.assign(asked, { at: now(), countsMs: failedMs }))
    return asked.metadata
  }

  #discover(issuer: string): Promise<oauth.AuthorizationServer> {
    const url = new URL(issuer)
    return this.#understood(async () => {
      const calling = { ...this.#with(issuer), algorithm: 'oidc' } as const
      const answer = await oauth.discoveryRequest(url, calling)
      if (answer.status !== 200) throw new ProviderUnreachable(`It answered ${answer.status}.`)
      return oauth.processDiscoveryResponse(url, answer)
    })
  }

  /** Asks what the provider says of itself, whatever is known, and whether browsers can be sent there. */
  async check(issuer: string): Promise<void> {
    entryOf(await this.#discover(issuer))
  }

  /** Where the browser is sent to. */
  async urlOf(account: ProviderAccount, attempt: SignOnAttempt): Promise<string> {
    const url = entryOf(await this.metadataOf(account.issuer))
    const scopes = new Set(['openid', ...account.scopes.split(/\s+/).filter(Boolean)])
    const parameters = {
      response_type: 'code',
      client_id: account.clientId,
      redirect_uri: attempt.redirectUri,
      scope: [...scopes].join(' '),
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return url.href
  }

  /** Who has signed in: what the ID token says, and the user info where the provider has one; and that token. */
  async claimsOf(
    account: ProviderAccount,
    attempt: SignOnAttempt,
    answer: string,
  ): Promise<{ claims: Claims; idToken: string }> {
    const server = await this.metadataOf(account.issuer)
    const client = this.#clientOf(account)
    const parameters = new URLSearchParams(answer)
    const callback = oauth.validateAuthResponse(server, client, parameters, attempt.state)
    const calling = this.#with(account.issuer)
    const { redirectUri, verifier, nonce } = attempt
    const answered = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication(server, account.clientSecret),
      callback,
      redirectUri,
      verifier,
      calling,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answered, {
      expectedNonce: nonce,
      requireIdToken: true,
    })
    await oauth.validateApplicationLevelSignature(server, answered, calling)
    const claims = oauth.getValidatedIdTokenClaims(tokens)!
    const idToken = tokens.id_token!
    if (server.userinfo_endpoint === undefined) return { claims, idToken }
    const more = await oauth.userInfoRequest(server, client, tokens.access_token, calling)
    const info = await oauth.processUserInfoResponse(server, client, claims.sub, more)
    return { claims: together(info, claims), idToken }
  }

  /**
   * Where a browser signs out of the provider; null: it names no such place. By the ID token the provider knows
   * whose session is meant (OpenID Connect RP-Initiated Logout 1.0 §2).
   */
  async signOutUrl(
    { issuer, clientId }: ProviderAccount,
    backTo: string,
    idToken: string,
  ): Promise<string | null> {
    const { end_session_endpoint } = await this.metadataOf(issuer)
    const url = webUrl(end_session_endpoint)
    if (!url) return null
    url.searchParams.set('client_id', clientId)
    url.searchParams.set('post_logout_redirect_uri', backTo)
    if (idToken.length <= hintMaxLength) url.searchParams.set('id_token_hint', idToken)
    return url.href
  }

  #clientOf({ clientId }: ProviderAccount): oauth.Client {
    // The library has a clock of its own.
    const aheadMs = this.#options.clock.now().getTime() - Date.now()
    return {
      client_id: clientId,
      [oauth.clockSkew]: Math.round(aheadMs / 1000),
      [oauth.clockTolerance]: toleranceSeconds,
    }
  }

  #with(issuer: string) {
    return {
      [oauth.customFetch]: (url: string, given: FetchOptions) => this.#fetch(url, given),
      // An administrator has chosen http for a private network; https is not left for http.
      [oauth.allowInsecureRequests]: issuer.startsWith('http:'),
    }
  }

  async #fetch(url: string, { method, headers, body }: FetchOptions): Promise<Response> {
    const answer = await this.#options.upstream.send({
      method: method as 'GET' | 'POST',
      url,
      headers,
      ...(body instanceof URLSearchParams ? { body: body.toString() } : {}),
      connectTimeoutMs,
      answerTimeoutMs,
      maxAnswerBytes,
      signal: this.#stopping.signal,
    })
    if (!answer.ok) throw new ProviderUnreachable(answer.detail)
    const hasBody = answer.status !== 204 && answer.status !== 304
    return new Response(hasBody ? new Uint8Array(answer.body) : null, {
      status: answer.status,
      headers: { 'content-type': answer.headers['content-type'] ?? '' },
    })
  }

  async #understood<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (cause) {
      if (cause instanceof ProviderUnreachable) throw cause
      throw new ProviderUnreachable('What it says of itself is not understood.', { cause })
    }
  }
}

/** What one source says of its own e-mail address proves nothing of the other's: the two claims stay a pair. */
function together(userInfo: Claims, claims: Claims): Claims {
  const isOther = claims['email'] !== undefined && claims['email'] !== userInfo['email']
  const { email, email_verified } = isOther || 'email_verified' in claims ? claims : userInfo
  return { ...userInfo, ...claims, email, email_verified }
}

function entryOf({ authorization_endpoint }: oauth.AuthorizationServer): URL {
  const url = webUrl(authorization_endpoint)
  if (!url) throw new ProviderUnreachable('It names no usable authorization_endpoint.')
  return url
}

/** The browser goes there: an address with another scheme could run a script. */
function webUrl(text: string | undefined): URL | undefined {
  const url = URL.parse(text ?? '')
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

/** In the body where the provider takes it there: how a header is encoded is read in several ways. */
function authentication(server: oauth.AuthorizationServer, secret: string): oauth.ClientAuth {
  if (secret === '') return oauth.None()
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_post')
    ? oauth.ClientSecretPost(secret)
    : oauth.ClientSecretBasic(secret)
}
