import { gatewayErrorTable } from '@gatehouse/contract/gateway'
import type { GatewayErrorCode } from '@gatehouse/contract/gateway'
import type { Places } from '@gatehouse/contract/json-schema'
import { FieldBlock } from '@gatehouse/http1'
import type { SwitchedConnection } from '@gatehouse/http1'
import type { Caller } from '../callers/caller.ts'
import type { ClientConnection, Served } from '../http/client-connection.ts'
import type { ClientAnswer, ClientRequest } from '../http/client-message.ts'
import type {
  CompiledApi,
  CompiledEndpoint,
  CompiledSnapshot,
} from '../snapshot/compile-snapshot.ts'
import type { UpstreamTarget } from '../snapshot/upstream-origins.ts'
import { describeEnd } from '../websockets/end-of-web-socket.ts'
import { errorBody, errorHeaders } from './error-answer.ts'
import type { ErrorAnswer, Refusal } from './error-answer.ts'
import { ExchangeFacts } from './exchange-facts.ts'
import type { GatewayContext } from './gateway-context.ts'
import { endInTheMiddle, lingerThenEnd } from './linger.ts'
import type { UpstreamCall } from './upstream-call.ts'
import type { Verdict } from './verdict.ts'

const readPastBytesMax = 64 * 1024

/** One request on its way through the pipeline, and its answer. */
export class Exchange extends ExchangeFacts implements Served {
  readonly gateway: ExchangeGateway
  snapshot: CompiledSnapshot
  readonly connection: ClientConnection
  readonly req: ClientRequest
  /** Of a call of a tool: what takes the answer in place of the client. */
  res: ClientAnswer
  /** That of the call, once an agent's message became one. */
  method: string
  /** That of the endpoint's API. */
  policy: ApiPolicy | null = null
  /** The place of the stage that has said to wait, and since when; on the clock of `performance.now()`. */
  waitingStage = 0
  waitingSinceMs = 0
  readonly #policies: ServedSnapshot['policies']

  constructor(
    gateway: ExchangeGateway,
    { snapshot, policies }: ServedSnapshot,
    connection: ClientConnection,
    req: ClientRequest,
    res: ClientAnswer,
  ) {
    super(connection.address, gateway.requestIds.next())
    this.gateway = gateway
    this.snapshot = snapshot
    this.#policies = policies
    this.connection = connection
    this.req = req
    this.res = res
    this.method = req.method
  }

  begin(): void {
    this.gateway.inFlight++
    try {
      this.gateway.runStages(this)
    } catch (error) {
      this.handleFault(error)
    }
  }

  /** Goes on with the stage that has said to wait, unless the exchange has ended meanwhile. */
  resume(): void {
    if (this.isEnded || this.isHeadSent) return
    try {
      this.gateway.runStages(this, this.waitingStage)
    } catch (error) {
      this.handleFault(error)
    }
  }

  /** The request is for this endpoint. */
  setEndpoint(endpoint: CompiledEndpoint): void {
    this.endpoint = endpoint
    this.policy = this.policyOf(endpoint)
  }

  /**
   * A WebSocket outlives snapshots. It must not keep one in memory that is no longer in force: what it has of it is
   * taken from the one that is, which says the same.
   */
  moveTo(snapshot: CompiledSnapshot, endpoint: CompiledEndpoint, caller: Caller | null): void {
    this.snapshot = snapshot
    this.endpoint = endpoint
    this.caller = caller
  }

  policyOf({ api }: CompiledEndpoint): ApiPolicy | null {
    return this.policyOfApi(api)
  }

  policyOfApi({ index }: CompiledApi): ApiPolicy | null {
    return this.#policies[index] ?? null
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

  /** Names every place of the request that does not fit its endpoint's schemas. */
  refuseUnfit(errors: Places, detail: string): Verdict {
    return this.refuseWith(
      { code: 'client.unfit', errors, ...gatewayErrorTable['client.unfit'] },
      { detail },
    )
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
    this.sendHead(status, [...headers, 'Content-Length', String(length)])
    if (this.method === 'HEAD') return this.end()
    this.bytesOut = length
    if (this.isUnread) {
      this.res.write(body)
      this.end()
    } else this.endWith(body, 'utf8')
  }

  /** Name, value, name, value; the request id and what the policy adds come with it. */
  sendHead(status: number, headers: readonly string[] | FieldBlock): void {
    const { res } = this
    this.status = status
    this.isHeadSent = true
    const isBlock = headers instanceof FieldBlock
    const isAsItIs = isBlock && res.writeHeadOf !== undefined && !this.policy?.changes?.(headers)
    const block = isAsItIs ? headers : null
    const own = block !== null ? [] : isBlock ? [...headers.fields] : [...headers]
    own.push('X-Request-Id', this.requestId)
    if (this.quotaLeft !== null) own.push('Gatehouse-Quota', this.quotaLeft)
    this.policy?.addHeaders?.(this, own)
    if (this.isConnectionLost || this.gateway.isStopping || this.isUnread) {
      own.push('Connection', 'close')
      this.isConnectionLost = true
    }
    if (block === null) res.writeHead(status, own)
    else res.writeHeadOf?.(status, block, own)
  }

  /** Answers 101; what comes over the connection from now on is no HTTP. Name, value, name, value. */
  switchProtocols(headers: readonly string[]): SwitchedConnection {
    const { res } = this
    if (res.switchProtocols === undefined) throw new Error('This server can’t switch protocols.')
    this.call = null
    this.status = 101
    this.isHeadSent = true
    this.isConnectionLost = true
    this.switchedAtMs = performance.now()
    return res.switchProtocols('websocket', [...headers, 'X-Request-Id', this.requestId])
  }

  /** The connection of the client is gone, and the WebSocket with it. */
  endWebSocket(): void {
    const tunnel = this.webSocket?.tunnel
    if (!tunnel?.end || this.isEnded) return
    const { code, detail } = describeEnd(tunnel.end)
    this.code = code
    this.detail = detail
    this.bytesIn = tunnel.client.passedBytes
    this.bytesOut = tunnel.upstream.passedBytes
    this.#account()
  }

  /** The last part of the answer, and its end. */
  endWith(body: string | Buffer, encoding: 'utf8' | 'latin1'): void {
    if (typeof body === 'string') this.res.end(body, encoding)
    else this.res.end(body)
    this.#account()
  }

  end(): void {
    if (this.isUnread && !this.connection.socket.destroyed) lingerThenEnd(this)
    else this.res.end()
    this.#account()
  }

  /** The answer can't be completed: the client must not take what it has for the whole. */
  cut(code: string): void {
    if (this.isEnded) return
    this.code = code
    this.status = 0
    if (this.res.cut) this.res.cut()
    else {
      endInTheMiddle(this)
      this.connection.isClosing = true
    }
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
    // A WebSocket ends by itself.
    if (this.isEnded || this.switchedAtMs !== 0) return
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
    if (this.webSocket !== null) this.gateway.webSockets.settle(this.webSocket)
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
  /** Limits: rate and size of the body. After authorisation, and again where it has said to wait. */
  readonly admit: ((exchange: Exchange) => Verdict) | null
  /** An answer that is kept. After `admit`, before anything is called. */
  readonly lookUp: ((exchange: Exchange) => Verdict) | null
  /** Which address this call goes to; null, or no hook: the API's own. */
  readonly chooseTarget: ((exchange: Exchange) => UpstreamTarget | null) | null
  /**
   * The head of the upstream's answer is here and nothing has been sent to the client. True: the
   * hook has taken over (it calls again) and this call is dropped.
   */
  readonly onAnswerHead: ((exchange: Exchange, call: UpstreamCall) => boolean) | null
  /** The upstream has switched protocols: its answer is known, although the request goes on. */
  readonly onSwitched: ((exchange: Exchange) => void) | null
  /** The call failed before the head of an answer. True: the hook has taken over. */
  readonly onCallFailed: ((exchange: Exchange, call: UpstreamCall) => boolean) | null
  /** A part of the answer's body, as it is passed on (a cache keeps it). */
  readonly onAnswerData: ((exchange: Exchange, chunk: Buffer) => void) | null
  /** Adds fields to the head of any answer, refusals included: name, value, name, value. */
  readonly addHeaders: ((exchange: Exchange, headers: string[]) => void) | null
  /** Whether `addHeaders` would change one of these, instead of adding others. Null: it never does. */
  readonly changes: ((fields: FieldBlock) => boolean) | null
  /** Once for each request that was matched, however it ended; see `exchange.status` and `code`. */
  readonly onEnd: ((exchange: Exchange) => void) | null
  /** Addresses beside the API's own, whose connections are to be kept. */
  readonly targets: readonly UpstreamTarget[]
  /** The snapshot was replaced: ends the health checks. */
  readonly dispose: (() => void) | null
}

/** A snapshot with the traffic policies of its APIs. */
export interface ServedSnapshot {
  readonly snapshot: CompiledSnapshot
  /** By `CompiledApi.index`; null where every part of an API's policy is off. */
  readonly policies: readonly (ApiPolicy | null)[]
}

/** What all requests of a worker share, with the stages that answer. */
export interface ExchangeGateway extends GatewayContext {
  /** Answers a request, at once or later. Begins with the stage at this place. */
  runStages(exchange: Exchange, first?: number): void
}
