import type { Places } from '@gatehouse/contract/json-schema'
import type { AgentRequest } from './agent-request.ts'
import type { CompiledEndpoint } from '../snapshot/compile-snapshot.ts'
import type { Caller } from '../callers/caller.ts'
import type { RequestSpan } from '../spans/request-span.ts'
import type { Trace } from '../trace/trace.ts'
import type { WebSocketRequest } from '../websockets/web-socket-request.ts'
import type { Expectation } from './linger.ts'

const nothing: readonly string[] = []

/** What can be ended when the client leaves. */
interface Cancellable {
  cancel(): void
}

/** What the API's traffic policy knows of one request. */
export interface PolicyNotes {
  /** It goes to the canary of its API. */
  readonly isCanary: boolean
  /** Whether a kept answer was given; null: the request is not for a cache. */
  readonly cached: 'hit' | 'miss' | null
  /** What the upstream took longer for the kept answer. */
  readonly savedMs: number
  /** For a trace. */
  details(): Record<string, unknown>
}

/** What is known of a request on its way through the pipeline. */
export class ExchangeFacts {
  readonly startedAtMs = performance.now()
  requestId: string

  // What the guard stage reads.
  path = ''
  /** With its question mark; empty for none. */
  query = ''
  /** Decoded; null where the path is plain as it came. */
  segments: readonly string[] | null = null
  host = ''
  authorization: string | null = null
  forwardedFor = ''
  forwardedProto = ''
  forwardedHost = ''
  via = ''
  /** -1: none is stated. */
  contentLength = -1
  hasBody = false
  expectation: Expectation = 'none'
  /** Null: it asks for no switch of protocols. */
  webSocket: WebSocketRequest | null = null
  /** Header fields that are passed on as they came. */
  passed: readonly string[] = nothing
  trace: Trace | null = null
  /** Null where no spans are made. */
  span: RequestSpan | null = null
  /** Null: it is no message of an agent. */
  agent: AgentRequest | null = null

  // What the stages find out.
  endpoint: CompiledEndpoint | null = null
  params: readonly string[] = nothing
  upstreamPath = ''
  /** SHA-256 that the body has to have, by the signature of the request; null: any. */
  contentDigest: Buffer | null = null
  /** The body, where a stage has read it; the stages after it use this. */
  heldBody: Buffer | null = null
  /** Path and query that go upstream, where they were changed. */
  sentTarget: string | null = null
  /** What was changed, for a trace. */
  change: { before: object; after: object } | null = null
  /** Places of the request that do not fit its endpoint's schemas. */
  unfit: Places | null = null
  /** The same of the answer. */
  answerUnfit: Places | null = null
  allow = ''
  /** Null: none was asked for. */
  caller: Caller | null = null
  /** What is left of its quota, for the head of the answer; null: it has none. */
  quotaLeft: string | null = null
  clientAddress: string
  /** Header fields as they go upstream, made by the first call. */
  outbound: string[] | null = null
  /** Written by the hooks of the policy; null where they have nothing to note. */
  policyRun: PolicyNotes | null = null
  /** Its token was refused, and the call is made once more. */
  isSignedInAgain = false
  /** A call that is under way. */
  call: Cancellable | null = null

  // What became of it.
  /** A part of it may have left to an upstream. */
  isSent = false
  /** A fixed reply was given in place of an answer of the upstream. */
  isMock = false
  status = 0
  code: string | null = null
  detail: string | null = null
  upstreamMs = 0
  upstreamStatus = 0
  bytesIn = 0
  bytesOut = 0
  /** When it became a WebSocket, on the clock of `performance.now()`; 0: it did not. */
  switchedAtMs = 0
  /** The connection ends with this answer. */
  isConnectionLost = false
  isHeadSent = false
  isEnded = false

  constructor(clientAddress: string, requestId: string) {
    this.clientAddress = clientAddress
    this.requestId = requestId
  }
}
