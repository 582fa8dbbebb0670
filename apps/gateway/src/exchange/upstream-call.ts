import type { AnswerHeaders } from '@gatehouse/http1'
import type { UpstreamFailure } from '@gatehouse/upstream/http'
import type { Readable } from 'node:stream'
import type { CallSpan } from '../spans/request-span.ts'
import type { UpstreamTarget } from '../snapshot/upstream-origins.ts'

export interface CallRequest {
  path: string
  headers: string[]
  /** One that was collected can be sent again, a stream can't. */
  body: Buffer | Readable | null
  /** Of the token among the headers; 0: there is none. */
  tokenVersion: number
  /** Makes the call once more with another token; null: the API needs none. */
  again: ((call: UpstreamCall) => void) | null
  /** Null where no spans are made. */
  span: CallSpan | null
}

/** One request to an upstream, as policies and traces see it. */
export interface UpstreamCall {
  readonly target: UpstreamTarget
  readonly request: CallRequest
  readonly startedAtMs: number
  /** A byte of the request may have left. */
  readonly isSent: boolean
  /** 0 until the head of the answer is here. */
  readonly status: number
  readonly headers: AnswerHeaders
  readonly failure: UpstreamFailure | null
  /** The client has left, or a policy calls again. */
  cancel(): void
  /** From now on this call is not the one that answers. */
  drop(): void
}

export type { AnswerHeaders }
