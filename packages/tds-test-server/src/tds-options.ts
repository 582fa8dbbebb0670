import type { Duplex } from 'node:stream'
import type { TdsEncryption, TdsLogin } from './tds-login.ts'
import type { TdsRequest } from './tds-requests.ts'
import type { TdsScript } from './tds-script.ts'
import type { TdsMessageText } from './tds-tokens.ts'

export interface TdsServerOptions {
  script: TdsScript
  user?: string
  password?: string
  /** `not supported` unless given; the others need `pem`. */
  encryption?: TdsEncryption
  /** Certificate and key. */
  pem?: string
  /** Refuses every login. */
  loginError?: TdsMessageText
  /** Asks the client to connect to another server after login. */
  route?: { host: string; port: number }
  /** The packet size that the server asks for after login; 4096 unless given. */
  packetSize?: string
  /** Ignores that the client cancels. */
  ignoresAttention?: boolean
  /** Answers PRELOGIN instead of the server. */
  onPrelogin?: (stream: Duplex) => void
}

/** All that clients sent, decoded from its bytes, in the order it came. */
export interface TdsServerRecord {
  prelogins: { encryption: number }[]
  logins: TdsLogin[]
  requests: TdsRecordedRequest[]
  attentions: number
}

/** The connection a request came over. */
interface TdsRecordedSession {
  readonly isEncrypted: boolean
  destroy(): void
}

interface TdsRecordedRequest {
  request: TdsRequest
  session: TdsRecordedSession
  /** The client named a transaction it is in. */
  isInTransaction: boolean
  hasReset: boolean
}
