import type { TokenCredential } from '@gatehouse/contract'
import { maxSignInAnswerBytes, obtainToken } from '@gatehouse/upstream'
import type { HttpUpstream, SignInOutcome } from '@gatehouse/upstream'
import type { SignInTarget } from './sign-in-target.ts'

/** Signs in once, through the guarded connections and with the time-outs of the API. */
export function askAuthority(
  upstream: Pick<HttpUpstream, 'send'>,
  credential: TokenCredential,
  { connectTimeoutMs, answerTimeoutMs, tls }: Omit<SignInTarget, 'name' | 'credential'>,
  now: Date,
  maySend?: () => boolean,
): Promise<SignInOutcome> {
  const bounds = { connectTimeoutMs, answerTimeoutMs, maxAnswerBytes: maxSignInAnswerBytes }
  return obtainToken(
    credential,
    (request) =>
      upstream.send({
        ...request,
        ...bounds,
        ...(tls ? { tls } : {}),
        ...(maySend ? { maySend } : {}),
      }),
    now,
  )
}
