import { isTokenCredential } from '@gatehouse/contract/credential'
import { secretsOf, signedIn } from '@gatehouse/upstream/http'
import type { CompiledSignIn } from '../snapshot/compile-sign-in.ts'
import type { Hidden } from './trace.ts'

/** Everything secret of the API's credential, and the token that was obtained with it. */
export function hiddenOf(signIn: CompiledSignIn | undefined): Hidden {
  if (!signIn?.credential) return { names: [], secrets: [] }
  const { credential, slot, names } = signIn
  const secrets = isTokenCredential(credential)
    ? [...secretsOf(credential), ...(slot?.tokens ?? [])]
    : signedIn(credential).secrets
  return { names, secrets: [...secrets] }
}
