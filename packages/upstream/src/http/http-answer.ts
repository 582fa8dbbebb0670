import type { WireMethod } from '@gatehouse/contract'
import type { StoredTls } from '@gatehouse/contract/credential'

/** What became of one call, seen from outside. The caller turns these into outcomes. */
export type UpstreamFailureCode =
  | 'blocked_address'
  | 'dns'
  | 'refused'
  | 'connect_timeout'
  | 'tls'
  /** There is no token to call with. */
  | 'sign_in'
  | 'timeout'
  | 'cut'
  | 'too_large'
  | 'protocol'
  | 'aborted'

export interface HttpRequest {
  method: WireMethod
  url: string
  headers: Record<string, string>
  body?: string
  /** Null or absent: no client certificate, and the authorities that Node knows. */
  tls?: StoredTls | null
  /** Bounds name lookup, TCP and TLS together. */
  connectTimeoutMs: number
  /** Bounds the whole exchange from the first byte sent to the last one received. */
  answerTimeoutMs: number
  /** Bounds the body, both as received and as decoded; 16 MiB unless given. */
  maxAnswerBytes?: number
  signal?: AbortSignal
  /**
   * Asked with a connection in hand, immediately before the request is written. False: nothing is sent. A
   * right to send that lasts for a time may have ended while the connection was made.
   */
  maySend?: () => boolean
}

/** Any status is an answer: 3xx, 4xx and 5xx come back with `ok: true` for the caller to judge. */
export interface HttpAnswered {
  ok: true
  status: number
  /** Lower-case names, repeated fields joined with ", ", hop-by-hop fields removed. */
  headers: Record<string, string>
  /** Whole and decoded; `content-encoding` and `content-length` are gone if it had been compressed. */
  body: Buffer
  durationMs: number
}

export interface HttpFailed {
  ok: false
  code: UpstreamFailureCode
  /** False only when surely no byte of the request has left: safe to send again. */
  isSent: boolean
  /** Present when the head of the answer had arrived. */
  status?: number
  /** For an administrator: holds addresses and reasons, never headers, bodies or secrets. */
  detail: string
  durationMs: number
  /** With `sign_in`: what was shown is not accepted, so that only other credentials help. */
  isSignInRefused?: boolean
  /** With `sign_in`: none can be had earlier. */
  retryAfterSeconds?: number
  /** For the log, after redaction: may hold bytes that the upstream sent. */
  cause: unknown
}

export type HttpAnswer = HttpAnswered | HttpFailed
