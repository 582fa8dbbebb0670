import type { StoredCredential, StoredTls } from '@gatehouse/contract'

/** What a sign-in needs of an API. */
export interface SignInTarget {
  name: string
  credential: StoredCredential | null
  connectTimeoutMs: number
  answerTimeoutMs: number
  tls: StoredTls | null
}

/** A token for calls, and when to ask for the next. */
export interface IssuedToken {
  token: string
  /** Rises with each token of a credential. */
  version: number
  obtainedAt: Date
  expiresAt: Date
  renewAt: Date
  scope: string
}

const backOffMinMs = 5_000
const backOffMaxMs = 300_000

/** How long to wait after so many failures in a row: 5 s, doubled to 5 min. */
export const backOffMs = (failures: number): number =>
  Math.min(backOffMinMs * 2 ** Math.min(Math.max(failures - 1, 0), 10), backOffMaxMs)
