import type { TokenCredential } from '@gatehouse/contract/credential'
import { signInByCall } from './login-call.ts'
import { signInByOAuth } from './oauth-sign-in.ts'
import type { SignInCall, SignInOutcome } from './sign-in-outcome.ts'

/**
 * Signs in once and returns the token, or what was missing. Never throws for what an authority does. Of a
 * credential with a refresh token, `credential` holds the one that is valid now.
 */
export function obtainToken(
  credential: TokenCredential,
  call: SignInCall,
  now: Date,
): Promise<SignInOutcome> {
  return credential.kind === 'login_call'
    ? signInByCall(credential, call, now)
    : signInByOAuth(credential, call, now)
}
