import { createPrivateKey, randomUUID } from 'node:crypto'
import type { ClientCredentials, RefreshTokenCredential } from '@gatehouse/contract/credential'
import { SignJWT } from 'jose'
import { ClientSecretPost, None } from 'oauth4webapi'
import type { ClientAuth } from 'oauth4webapi'
import { isSlowKey, slowKeyWords } from '../key-files/key-size.ts'

export type OAuthCredential = ClientCredentials | RefreshTokenCredential

const assertionLifetimeSeconds = 300

/** How the client shows who it is (RFC 6749 §2.3, RFC 7523 §2.2). */
export function clientAuthentication(credential: OAuthCredential, assertion: string): ClientAuth {
  if (credential.client_authentication === 'private_key_jwt') {
    return (_server, { client_id }, body) => {
      body.set('client_id', client_id)
      body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
      body.set('client_assertion', assertion)
    }
  }
  if (credential.client_secret === '') return None()
  if (credential.client_authentication === 'body') return ClientSecretPost(credential.client_secret)
  return basicAuthentication(credential.client_secret)
}

/**
 * RFC 6749 §2.3.1: both parts are form-encoded before they are joined. Unlike the library's, this
 * encoding leaves `-`, `.`, `_` and `*` as they are: many authorities decode nothing, and most client
 * IDs are UUIDs.
 */
const basicAuthentication =
  (secret: string): ClientAuth =>
  (_server, { client_id }, _body, headers) => {
    const pair = `${formEncoded(client_id)}:${formEncoded(secret)}`
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
  }

const formEncoded = (text: string) => new URLSearchParams([['', text]]).toString().slice(1)

type Assertion = { ok: true; text: string } | { ok: false; message: string }

/**
 * A signed statement of who the client is, for the token endpoint alone. The scope is in it too:
 * NetSuite reads it there. Blank where the client authenticates in another way.
 */
export async function assertionOf(credential: OAuthCredential, now: Date): Promise<Assertion> {
  if (credential.client_authentication !== 'private_key_jwt') return { ok: true, text: '' }
  const { client_id, scope, algorithm, key_id } = credential
  const issuedAt = Math.floor(now.getTime() / 1_000)
  try {
    const jwt = new SignJWT(scope === '' ? {} : { scope: scope.split(/ +/) })
      .setProtectedHeader({
        alg: algorithm,
        typ: 'JWT',
        ...(key_id === '' ? {} : { kid: key_id }),
      })
      .setIssuer(client_id)
      .setSubject(client_id)
      .setAudience(credential.token_url)
      .setJti(randomUUID())
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + assertionLifetimeSeconds)
    const key = createPrivateKey(credential.private_key)
    if (isSlowKey(key)) return { ok: false, message: slowKeyWords }
    return { ok: true, text: await jwt.sign(key) }
  } catch {
    // The reason could hold parts of the key.
    return { ok: false, message: `The private key can’t sign with ${algorithm}.` }
  }
}

/** What is wrong with a key for client assertions, or undefined. Checked when it is saved. */
export async function signingKeyProblem(
  credential: OAuthCredential,
  now: Date,
): Promise<string | undefined> {
  const assertion = await assertionOf(credential, now)
  return assertion.ok ? undefined : assertion.message
}
