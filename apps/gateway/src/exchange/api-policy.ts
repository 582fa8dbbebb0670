import type { ServerResponse } from 'node:http'
import type { GatewayContext } from './gateway-context.ts'
import type { ClientConnection } from '../http/client-connection.ts'
import type { GatewayRequest } from '../http/gateway-request.ts'
import type { PolicyRun } from '../policy/policy-run.ts'
import type {
  CompiledEndpoint,
  CompiledSnapshot,
  PolicyParts,
} from '../snapshot/compile-snapshot.ts'
import type { CompiledToken } from '../snapshot/token-index.ts'
import type { UpstreamTarget } from '../snapshot/upstream-origins.ts'
import type { Trace } from '../trace/trace.ts'
import type { UpstreamCall } from './upstream-call.ts'
import type { Verdict } from './verdict.ts'

/** What can be ended when the client leaves. */
export interface Cancellable {
  cancel(): void
}

/** One request on its way through the pipeline, and its answer, as the stages see it. */
export interface Exchange {
  readonly gateway: GatewayContext
  readonly snapshot: CompiledSnapshot<ApiPolicy>
  readonly connection: ClientConnection
  readonly req: GatewayRequest
  readonly res: ServerResponse
  readonly method: string
  readonly startedAtMs: number
  requestId: string

  // What the guard stage reads.
  path: string
  /** With its question mark; empty for none. */
  query: string
  /** Decoded; null where the path is plain as it came. */
  segments: readonly string[] | null
  host: string
  authorization: string | null
  forwardedFor: string
  forwardedProto: string
  forwardedHost: string
  via: string
  /** -1: none is stated. */
  contentLength: number
  hasBody: boolean
  expectation: 'none' | 'continue' | 'other'
  /** Header fields that are passed on as they came. */
  passed: string[]
  trace: Trace | null

  // What the stages find out.
  endpoint: CompiledEndpoint<ApiPolicy> | null
  params: readonly string[]
  upstreamPath: string
  allow: string
  token: CompiledToken | null
  clientAddress: string
  /** Header fields as they go upstream, made by the first call. */
  outbound: string[] | null
  /** What the API's traffic policy knows of it; null: none needs to. */
  policyRun: PolicyRun | null
  /** A call that is under way. */
  call: Cancellable | null

  // What became of it.
  status: number
  code: string | null
  detail: string | null
  upstreamMs: number
  bytesIn: number
  bytesOut: number
  /** The connection ends with this answer. */
  isConnectionLost: boolean
  isHeadSent: boolean
  isEnded: boolean

  /**
   * So much of the body is still to come that the connection ends with the answer. What little may be
   * left otherwise is read past, and the connection kept.
   */
  readonly isUnread: boolean
  /** A fault of ours. */
  handleFault(error: unknown): void
  /** A whole answer of our own. For HEAD the body is left out. */
  answer(status: number, headers: string[], body: string): void
  /** Name, value, name, value; the request id and what the policy adds come with it. */
  sendHead(status: number, headers: string[]): void
  /** The last part of the answer, and its end. */
  endWith(body: string | Buffer, encoding: 'utf8' | 'latin1'): void
  end(): void
  /** The answer can't be completed: the client must not take what it has for the whole. */
  cut(code: string): void
}

/**
 * What the traffic policy adds to the requests of one API. An API without a policy has null instead,
 * and a hook that is null costs nothing. `policy/` makes them; the pipeline calls them where
 * pipeline.ts says. A hook answers by `refuse(exchange, code)` or by the exchange's own methods.
 */
export interface ApiPolicy extends PolicyParts {
  /** OPTIONS, and what every answer needs to say (CORS). Before authentication. */
  readonly preflight: ((exchange: Exchange) => Verdict) | null
  /** Limits: rate, concurrency, size of the body, an open circuit. After authorisation. */
  readonly admit: ((exchange: Exchange) => Verdict) | null
  /** An answer that is kept. After `admit`, before anything is called. */
  readonly lookUp: ((exchange: Exchange) => Verdict) | null
  /** Which address this call goes to; the API's own unless given. */
  readonly chooseTarget: ((exchange: Exchange) => UpstreamTarget) | null
  /**
   * The head of the upstream's answer is here and nothing has been sent to the client. True: the
   * hook has taken over (it calls again) and this call is dropped.
   */
  readonly onAnswerHead: ((exchange: Exchange, call: UpstreamCall) => boolean) | null
  /** The call failed before the head of an answer. True: the hook has taken over. */
  readonly onCallFailed: ((exchange: Exchange, call: UpstreamCall) => boolean) | null
  /** A part of the answer's body, as it is passed on (a cache keeps it). */
  readonly onAnswerData: ((exchange: Exchange, chunk: Buffer) => void) | null
  /** Adds fields to the head of any answer, refusals included: name, value, name, value. */
  readonly addHeaders: ((exchange: Exchange, headers: string[]) => void) | null
  /** Once for each request that was matched, however it ended; `exchange.status` and `code` tell. */
  readonly onEnd: ((exchange: Exchange) => void) | null
}
