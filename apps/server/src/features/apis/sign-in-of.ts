import {
  answerTimeoutDefaultMs,
  connectTimeoutDefaultMs,
  type SignInPlaceName,
} from '@gatehouse/contract'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { openCredential, openTls, readable } from './api-credentials.ts'
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

/** Those of the base URLs. APIs that can't be read are left out: their rows in the list say so. */
export const liveSignInsOf = (box: SecretBox, apis: readonly ApiRow[]) =>
  apis.flatMap((api) => {
    const target = readable(() => signInOf(box, api, 'live'))
    return target ? [{ ...target, apiId: api.id }] : []
  })
