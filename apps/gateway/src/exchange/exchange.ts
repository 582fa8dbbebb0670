import { gatewayErrorTable } from '@gatehouse/contract/gateway'
import type { GatewayErrorCode } from '@gatehouse/contract/gateway'
import type { ServerResponse } from 'node:http'
import type { ClientConnection, Served } from '../http/client-connection.ts'
import type { GatewayRequest } from '../http/gateway-request.ts'
import type { CompiledEndpoint, CompiledSnapshot } from '../snapshot/compile-snapshot.ts'
import type { CompiledToken } from '../snapshot/token-index.ts'
import type { UpstreamTarget } from '../snapshot/upstream-origins.ts'
import type { Trace } from '../trace/trace.ts'
import { errorBody, errorHeaders } from './error-answer.ts'
import type { ErrorAnswer, Refusal } from './error-answer.ts'
import type { GatewayContext } from './gateway-context.ts'
import { lingerThenEnd } from './linger.ts'
import type { Expectation } from './linger.ts'
import type { UpstreamCall } from './upstream-call.ts'
import type { Verdict } from './verdict.ts'

const nothing: readonly string[] = []
const readPastBytesMax = 64 * 1024

/** What can be ended when the client leaves. */
interface Cancellable {
  cancel(): void
}

/** One request on its way through the pipeline, and its answer. */
export class Exchange implements Served {
  readonly gateway: ExchangeGateway
  readonly snapshot: CompiledSnapshot
  readonly connection: ClientConnection
  readonly req: GatewayRequest
  readonly res: ServerResponse
  readonly method: string
  readonly startedAtMs = performance.now()
  requestId: string
  readonly #policies: ServedSnapshot['policies']

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
  /** Header fields that are passed on as they came. */
  passed: string[] = []
  trace: Trace | null = null

  // What the stages find out.
  endpoint: CompiledEndpoint | null = null
  /** That of the endpoint's API. */
  policy: ApiPolicy | null = null
  params: readonly string[] = nothing
  upstreamPath = ''
  allow = ''
  token: CompiledToken | null = null
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
  status = 0
  code: string | null = null
  detail: string | null = null
  upstreamMs = 0
  bytesIn = 0
  bytesOut = 0
  /** The connection ends with this answer. */
  isConnectionLost = false
  isHeadSent = false
  isEnded = false

  constructor(
    gateway: ExchangeGateway,
    { snapshot, policies }: ServedSnapshot,
    connection: ClientConnection,
    req: GatewayRequest,
    res: ServerResponse,
  ) {
    this.gateway = gateway
    this.snapshot = snapshot
    this.#policies = policies
    this.connection = connection
    this.req = req
    this.res = res
    this.method = req.method ?? ''
    this.clientAddress = connection.address
    this.requestId = gateway.requestIds.next()
  }

  begin(): void {
    this.gateway.inFlight++
    try {
      this.gateway.runStages(this)
    } catch (error) {
      this.handleFault(error)
    }
  }

  /** The request is for this endpoint. */
  setEndpoint(endpoint: CompiledEndpoint): void {
    this.endpoint = endpoint
    this.policy = this.policyOf(endpoint)
  }

  policyOf({ api }: CompiledEndpoint): ApiPolicy | null {
    return this.#policies[api.index] ?? null
  }

  /** A fault of ours. */
  handleFault(error: unknown): void {
    this.gateway.logFault(error, this.requestId)
    if (this.isHeadSent) this.cut('gateway.failed')
    else this.refuse('gateway.failed', { isFatal: true })
  }

  /** Answers with a code of the table. Always stops. */
  refuse(code: GatewayErrorCode, refusal?: Refusal): Verdict {
    const { status, message } = gatewayErrorTable[code]
    return this.refuseWith({ status, code, message: refusal?.message ?? message }, refusal)
  }

  /** The same with a code of another table. */
  refuseWith(
    answer: ErrorAnswer,
    { headers = [], detail, isFatal = false }: Refusal = {},
  ): Verdict {
    this.code = answer.code
    this.detail = detail ?? null
    if (isFatal) this.isConnectionLost = true
    const body = errorBody(answer, this.requestId)
    this.answer(answer.status, [...errorHeaders, ...headers], body)
    return 'stop'
  }

  /** A whole answer of our own. For HEAD the body is left out. */
  answer(status: number, headers: string[], body: string): void {
    if (this.isEnded || this.isHeadSent) return
    const length = Buffer.byteLength(body)
    headers.push('Content-Length', String(length))
    this.sendHead(status, headers)
    if (this.method === 'HEAD') return this.end()
    this.bytesOut = length
    if (this.isUnread) {
      this.res.write(body)
      this.end()
    } else this.endWith(body, 'utf8')
  }

  /** Name, value, name, value; the request id and what the policy adds come with it. */
  sendHead(status: number, headers: string[]): void {
    this.status = status
    this.isHeadSent = true
    headers.push('X-Request-Id', this.requestId)
    this.policy?.addHeaders?.(this, headers)
    if (this.isConnectionLost || this.gateway.isStopping || this.isUnread) {
      headers.push('Connection', 'close')
      this.isConnectionLost = true
    }
    this.res.writeHead(status, headers)
  }

  /** The last part of the answer, and its end. */
  endWith(body: string | Buffer, encoding: 'utf8' | 'latin1'): void {
    if (typeof body === 'string') this.res.end(body, encoding)
    else this.res.end(body)
    this.#account()
  }

  end(): void {
    if (this.isUnread && !this.connection.socket.destroyed)
      lingerThenEnd(this.req, this.res, this.expectation)
    else this.res.end()
    this.#account()
  }

  /** The answer can't be completed: the client must not take what it has for the whole. */
  cut(code: string): void {
    if (this.isEnded) return
    this.code = code
    this.status = 0
    const { socket } = this.connection
    // Without length and chunks the end of the connection would look like the end of the body.
    const isDelimited = this.req.httpVersionMinor === 1
    if (isDelimited || this.connection.isSecure) socket.destroy()
    else socket.resetAndDestroy()
    this.connection.isClosing = true
    this.#account()
  }

  /** What the client sends is no longer the body of the request. */
  handleBrokenBody(code: GatewayErrorCode): void {
    const { call } = this
    if (this.isHeadSent) this.cut(code)
    else {
      this.hasBody = false
      this.refuse(code, { isFatal: true })
    }
    call?.cancel()
  }

  handleBrokenSuccessor(): void {
    this.isConnectionLost = true
  }

  get isWhole(): boolean {
    return this.req.complete
  }

  handleClientGone(): void {
    if (this.isEnded) return
    this.code = 'client.left'
    this.status = 499
    const { call } = this
    this.#account()
    call?.cancel()
  }

  get isBodyAwaited(): boolean {
    return this.req.readableFlowing === true
  }

  /**
   * Too much of the body is still to come: the connection ends with the answer. A small rest is read
   * and thrown away, and the connection kept.
   */
  get isUnread(): boolean {
    if (!this.hasBody || this.req.complete) return false
    return (
      this.contentLength === -1 ||
      this.contentLength > readPastBytesMax ||
      this.expectation === 'continue'
    )
  }

  #account(): void {
    if (this.isEnded) return
    this.isEnded = true
    this.call = null
    this.gateway.inFlight--
    this.gateway.account(this)
    this.policy?.onEnd?.(this)
    if (this.isConnectionLost) this.connection.isClosing = true
    this.connection.release()
  }
}

/**
 * What the traffic policy adds to the requests of one API. An API without a policy has null instead,
 * and a hook that is null costs nothing. `policy/` makes them; stages/pipeline.ts says when they are called.
 * A hook answers by the methods of the exchange.
 */
export interface ApiPolicy {
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
  /** Once for each request that was matched, however it ended; see `exchange.status` and `code`. */
  readonly onEnd: ((exchange: Exchange) => void) | null
  /** Addresses beside the API's own, whose connections are to be kept. */
  readonly targets: readonly UpstreamTarget[]
  /** The snapshot was replaced: ends the health checks. */
  readonly dispose: (() => void) | null
}

/** What the API's traffic policy knows of one request. */
export interface PolicyNotes {
  /** For a trace. */
  details(): Record<string, unknown>
}

/** A snapshot with the traffic policies of its APIs. */
export interface ServedSnapshot {
  readonly snapshot: CompiledSnapshot
  /** By `CompiledApi.index`; null where every part of an API's policy is off. */
  readonly policies: readonly (ApiPolicy | null)[]
}

/** What all requests of a worker share. */
export interface ExchangeGateway extends GatewayContext {
  /** Answers a request, at once or later. */
  runStages(exchange: Exchange): void
}
