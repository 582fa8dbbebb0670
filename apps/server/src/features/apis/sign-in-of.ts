import {
  answerTimeoutDefaultMs,
  connectTimeoutDefaultMs,
  type SignInPlaceName,
} from '@gatehouse/contract'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { readable } from '../../kernel/readable.ts'
import { openCredential, openTls } from './api-credentials.ts'
import type { ApiRow } from './api-store.ts'

/** What an API shows its upstream, whole, and how it is called. Throws `api.unreadable`. */
export function signInOf(box: SecretBox, api: ApiRow, which: SignInPlaceName) {
  return {
    name: api.name,
    credential: openCredential(box, api, which) ?? null,
    tls: openTls(box, api) ?? null,
    connectTimeoutMs: api.connect_timeout_ms ?? connectTimeoutDefaultMs,
    answerTimeoutMs: api.answer_timeout_ms ?? answerTimeoutDefaultMs,
  }
}

/**
 * Those of the base URLs, and of test base URLs with a sign-in of their own. What can't be read is left
 * out: the list of APIs says so. The client certificate, which both show, is with the base URL.
 */
export const signInsOf = (box: SecretBox, apis: readonly ApiRow[]) =>
  apis.flatMap((api) => {
    const { id: apiId, name } = api
    const live = readable(() => signInOf(box, api, 'live'))
    const credential = readable(() => openCredential(box, api, 'test'))
    return [
      ...(live ? [{ ...live, apiId, which: 'live' as const }] : []),
      ...(credential ? [{ name, credential, tls: null, apiId, which: 'test' as const }] : []),
    ]
  })
