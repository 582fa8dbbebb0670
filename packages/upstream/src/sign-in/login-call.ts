import { textAt } from '@gatehouse/contract/answer-rule'
import type { LoginCallCredential } from '@gatehouse/contract/credential'
import { parsePath, readPath } from '@gatehouse/contract/mapping'
import type { ExactJson } from '@gatehouse/contract/mapping'
import { isSignInRefusal, readSignInAnswer } from './read-sign-in-answer.ts'
import { failedSignIn, isUsableToken } from './sign-in-outcome.ts'
import type { SignInCall, SignInOutcome } from './sign-in-outcome.ts'
import { assumedLifetimeMs, lifetimeMs } from './token-lifetime.ts'

/** Calls a login and reads the token from its answer. */
export async function signInByCall(
  credential: LoginCallCredential,
  call: SignInCall,
  now: Date,
): Promise<SignInOutcome> {
  const answer = await call({
    method: credential.method,
    url: credential.url,
    headers: {
      accept: 'application/json',
      ...Object.fromEntries(
        credential.headers.map(({ name, value }) => [name.toLowerCase(), value]),
      ),
      ...(credential.body === '' ? {} : { 'content-type': credential.content_type }),
    },
    ...(credential.body === '' ? {} : { body: credential.body }),
  })
  const read = readSignInAnswer(answer, 'url')
  if (!read.ok) return read
  if (read.status >= 400) return refusal(read.status, textAt(read.body, 'error'))
  return readToken(credential, read.body, now)
}

const refusal = (status: number, error: string | undefined): SignInOutcome =>
  isSignInRefusal(status, error)
    ? failedSignIn('refused', 'body', `The login was refused with status ${status}.`)
    : failedSignIn('unusable', 'url', `The login was answered with status ${status}.`)

function readToken(
  { token_path, expires_path, lifetime_seconds }: LoginCallCredential,
  body: ExactJson,
  now: Date,
): SignInOutcome {
  const token = textAt(body, token_path)
  if (token === undefined) {
    const message = `The answer to the login has no token at ${token_path}.`
    return failedSignIn('unusable', 'token_path', message)
  }
  if (!isUsableToken(token)) {
    const message = `What the answer has at ${token_path} can’t be sent in a header.`
    return failedSignIn('unusable', 'token_path', message)
  }
  const givenMs = lifetime_seconds === null ? undefined : lifetime_seconds * 1_000
  const lifeMs = lifetimeMs(valueAt(body, expires_path), now) ?? givenMs
  return {
    ok: true,
    obtained: {
      token,
      expiresAt: new Date(now.getTime() + (lifeMs ?? assumedLifetimeMs)),
      isLifetimeAssumed: lifeMs === undefined,
      scope: '',
    },
  }
}

function valueAt(body: ExactJson, path: string): ExactJson | undefined {
  const parsed = parsePath(path, 'read')
  const found = parsed.ok ? readPath(body, parsed.segments) : parsed
  return found.ok && found.values.length === 1 ? found.values[0] : undefined
}
