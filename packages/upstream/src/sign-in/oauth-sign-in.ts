import { textAt } from '@gatehouse/contract/answer-rule'
import { isExactObject, ownValue } from '@gatehouse/contract/mapping'
import type { ExactJson } from '@gatehouse/contract/mapping'
import { allowInsecureRequests, customFetch, genericTokenEndpointRequest } from 'oauth4webapi'
import type { CustomFetchOptions } from 'oauth4webapi'
import type { HttpAnswer } from '../http/http-answer.ts'
import { assertionOf, clientAuthentication } from './client-authentication.ts'
import type { OAuthCredential } from './client-authentication.ts'
import { isSignInRefusal, readSignInAnswer } from './read-sign-in-answer.ts'
import { failedSignIn, isUsableToken } from './sign-in-outcome.ts'
import type { SignInCall, SignInOutcome } from './sign-in-outcome.ts'
import { assumedLifetimeMs, lifetimeMs, refreshLifetimeMaxMs } from './token-lifetime.ts'

/** Asks a token endpoint for a token (RFC 6749 §4.4, §6; RFC 7523 §2.2). */
export async function signInByOAuth(
  credential: OAuthCredential,
  call: SignInCall,
  now: Date,
): Promise<SignInOutcome> {
  const assertion = await assertionOf(credential, now)
  if (!assertion.ok) return failedSignIn('refused', 'private_key', assertion.message)
  const answer = await askTokenEndpoint(credential, assertion.text, call)
  const read = readSignInAnswer(answer, 'token_url')
  return read.ok ? readToken(credential, read, now) : read
}

/**
 * The library makes the request. It does not read the answer: it would refuse what real authorities
 * send, such as a number as text or no token type.
 */
async function askTokenEndpoint(
  credential: OAuthCredential,
  assertion: string,
  call: SignInCall,
): Promise<HttpAnswer> {
  const parameters = new URLSearchParams()
  if (credential.kind === 'oauth2_refresh_token') {
    parameters.set('refresh_token', credential.refresh_token)
  }
  if (credential.scope !== '') parameters.set('scope', credential.scope)
  if (credential.audience !== '') parameters.set('audience', credential.audience)
  for (const { name, value } of credential.body_fields) parameters.set(name, value)
  let answer: HttpAnswer | undefined
  const fetch = async (
    url: string,
    { headers, body }: CustomFetchOptions<'POST', URLSearchParams>,
  ) => {
    answer = await call({ method: 'POST', url, headers, body: body.toString() })
    return new Response(null)
  }
  await genericTokenEndpointRequest(
    { issuer: credential.token_url, token_endpoint: credential.token_url },
    { client_id: credential.client_id },
    clientAuthentication(credential, assertion),
    credential.kind === 'oauth2_refresh_token' ? 'refresh_token' : 'client_credentials',
    parameters,
    {
      // The administrator has chosen the address; the address guard decides about it.
      [allowInsecureRequests]: true,
      [customFetch]: fetch,
      headers: credential.login_headers.map(({ name, value }) => [name, value]),
    },
  )
  if (!answer) throw new Error('The token request was not sent.')
  return answer
}

/** Codes of RFC 6749 §5.2 that may be shown, with the field that each is about. */
const refusals: Readonly<Record<string, string>> = {
  invalid_request: 'token_url',
  invalid_client: 'client_secret',
  invalid_grant: 'refresh_token',
  unauthorized_client: 'client_id',
  unsupported_grant_type: 'kind',
  invalid_scope: 'scope',
}

function readToken(
  credential: OAuthCredential,
  { status, body }: { status: number; body: ExactJson },
  now: Date,
): SignInOutcome {
  const error = textAt(body, 'error')
  if (status >= 400 || error !== undefined) return refusal(credential, status, error)
  const token = textOf(body, 'access_token')
  if (token === undefined) {
    return failedSignIn('unusable', 'token_url', 'The answer to the sign-in has no access_token.')
  }
  if (!isUsableToken(token)) {
    const message = 'The access_token in the answer can’t be sent in a header.'
    return failedSignIn('unusable', 'token_url', message)
  }
  const refreshToken = readRefreshToken(credential, body)
  if (refreshToken !== undefined && !isUsableToken(refreshToken)) {
    const message = 'The new refresh_token in the answer is not usable text.'
    return failedSignIn('unusable', 'token_url', message)
  }
  const lifeMs = lifetimeMs(valueOf(body, 'expires_in'), now)
  return {
    ok: true,
    obtained: {
      token,
      expiresAt: new Date(now.getTime() + (lifeMs ?? assumedLifetimeMs)),
      isLifetimeAssumed: lifeMs === undefined,
      scope: scopeOf(body),
      ...(refreshToken === undefined ? {} : { refreshToken }),
      ...refreshEndOf(credential, body, now),
    },
  }
}

/** The address says no, by its status or by a code: other answers may pass by themselves (spec: ill-sign-in). */
function refusal(credential: OAuthCredential, status: number, error?: string): SignInOutcome {
  const code = error !== undefined && Object.hasOwn(refusals, error) ? error : undefined
  const field = fieldIn(credential, (code && refusals[code]) ?? secretField(credential))
  const why = code ?? (status >= 400 ? `status ${status}` : 'the answer holds an error')
  if (isSignInRefusal(status, error))
    return failedSignIn('refused', field, `The sign-in was refused: ${why}.`)
  const message = `The address gave no token: ${why}.`
  return failedSignIn('unusable', code === undefined ? 'token_url' : field, message)
}

const secretField = (credential: OAuthCredential) =>
  credential.client_authentication === 'private_key_jwt' ? 'private_key' : 'client_secret'

/** The field as this kind has it. */
function fieldIn(credential: OAuthCredential, field: string): string {
  if (field === 'client_secret') return secretField(credential)
  if (field === 'refresh_token' && credential.kind !== 'oauth2_refresh_token') return 'client_id'
  return field
}

const valueOf = (body: ExactJson, name: string): ExactJson | undefined =>
  isExactObject(body) ? ownValue(body, name) : undefined

function textOf(body: ExactJson, name: string): string | undefined {
  const value = valueOf(body, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Absent: the one that was used stays valid (RFC 6749 §6). */
function readRefreshToken(credential: OAuthCredential, body: ExactJson): string | undefined {
  if (credential.kind !== 'oauth2_refresh_token') return undefined
  const value = valueOf(body, 'refresh_token')
  if (value === undefined || value === null || value === '') return undefined
  const text = typeof value === 'string' ? value : ' '
  return text === credential.refresh_token ? undefined : text
}

/** No standard names it: what Keycloak, Intuit and many others send. */
const refreshLifetimeNames = [
  'refresh_token_expires_in',
  'refresh_expires_in',
  'x_refresh_token_expires_in',
]

function refreshEndOf(credential: OAuthCredential, body: ExactJson, now: Date) {
  if (credential.kind !== 'oauth2_refresh_token') return {}
  for (const name of refreshLifetimeNames) {
    const lifeMs = lifetimeMs(valueOf(body, name), now, refreshLifetimeMaxMs)
    if (lifeMs !== undefined) return { refreshExpiresAt: new Date(now.getTime() + lifeMs) }
  }
  return {}
}

const scopeOf = (body: ExactJson) => (textOf(body, 'scope') ?? '').slice(0, 2_048)
