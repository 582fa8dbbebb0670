import {
  answerTimeoutDefaultMs,
  connectTimeoutDefaultMs,
  type StoredCredential,
  type StoredTls,
} from '@gatehouse/contract'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { openUpstreamToken } from './api-secrets.ts'
import type { ApiRow } from './api-store.ts'

/** What an API shows its upstream, whole, and how it is called. Throws `api.unreadable`. */
export function signInOf(box: SecretBox, api: ApiRow, which: 'live' | 'test') {
  const token = which === 'live' ? openUpstreamToken(box, api) : undefined
  const credential: StoredCredential | null =
    token === undefined ? null : { kind: 'bearer', token, scheme: 'Bearer', refused_when: null }
  const tls: StoredTls | null = null
  return {
    name: api.name,
    credential,
    tls,
    connectTimeoutMs: api.connect_timeout_ms ?? connectTimeoutDefaultMs,
    answerTimeoutMs: api.answer_timeout_ms ?? answerTimeoutDefaultMs,
  }
}
