import { isTokenCredential } from '@gatehouse/contract/credential'
import { secretsOf, signedIn } from '@gatehouse/upstream/http'
import type { Exchange } from '../exchange/exchange.ts'
import type { Hidden } from '../trace/trace.ts'

/** Everything secret of the API's credential, and the token that was obtained with it. */
export function hiddenOf({ endpoint }: Exchange): Hidden {
  const signIn = endpoint?.api.signIn
  if (!signIn?.credential) return { names: [], secrets: [] }
  const { credential, slot, names } = signIn
  const secrets = isTokenCredential(credential)
    ? [...secretsOf(credential), ...(slot?.tokens ?? [])]
    : signedIn(credential).secrets
  return { names, secrets: [...secrets] }
}
