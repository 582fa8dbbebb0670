import type { GatewayErrorCode } from '@gatehouse/contract/gateway'
import type { GatewayContext } from './gateway-context.ts'
import type { ClientConnection, Served } from '../http/client-connection.ts'
import type { GatewayRequest } from '../http/gateway-request.ts'
import type { CompiledEndpoint, CompiledSnapshot } from '../snapshot/compile-snapshot.ts'
import type { PolicyRun } from '../policy/policy-run.ts'
import type { CompiledToken } from '../snapshot/token-index.ts'
import type { ServerResponse } from 'node:http'
import type { ApiPolicy, Cancellable, Exchange } from './api-policy.ts'
import { lingerThenEnd } from './linger.ts'
import { runPipeline } from '../stages/pipeline.ts'
import { refuse } from './refuse.ts'
import type { Trace } from '../trace/trace.ts'

const nothing: readonly string[] = []
const readPastBytesMax = 64 * 1024

/** One request on its way through the pipeline, and its answer. */
export class ServedExchange implements Exchange, Served {
  readonly gateway: GatewayContext
  readonly snapshot: CompiledSnapshot<ApiPolicy>
  readonly connection: ClientConnection
  readonly req: GatewayRequest
  readonly res: ServerResponse
  readonly method: string
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
  expectation: 'none' | 'continue' | 'other' = 'none'
  /** Header fields that are passed on as they came. */
  passed: string[] = []
  trace: Trace | null = null

  // What the stages find out.
  endpoint: CompiledEndpoint<ApiPolicy> | null = null
  params: readonly string[] = nothing
  upstreamPath = ''
  allow = ''
  token: CompiledToken | null = null
  clientAddress: string
  /** Header fields as they go upstream, made by the first call. */
  outbound: string[] | null = null
  /** What the API's traffic policy knows of it; null: none needs to. */
  policyRun: PolicyRun | null = null
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
    gateway: GatewayContext,
    snapshot: CompiledSnapshot<ApiPolicy>,
    connection: ClientConnection,
    req: GatewayRequest,
    res: ServerResponse,
  ) {
    this.gateway = gateway
    this.snapshot = snapshot
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
      runPipeline(this)
    } catch (error) {
      this.handleFault(error)
    }
  }

  handleFault(error: unknown): void {
    this.gateway.logFault(error, this.requestId)
    if (this.isHeadSent) this.cut('gateway.failed')
    else refuse(this, 'gateway.failed', { isFatal: true })
  }

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

  sendHead(status: number, headers: string[]): void {
    this.status = status
    this.isHeadSent = true
    headers.push('X-Request-Id', this.requestId)
    this.endpoint?.api.policy?.addHeaders?.(this, headers)
    if (this.isConnectionLost || this.gateway.isStopping || this.isUnread) {
      headers.push('Connection', 'close')
      this.isConnectionLost = true
    }
    this.res.writeHead(status, headers)
  }

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

  /** What the client sends is none of the request's body any more. */
  handleBrokenBody(code: GatewayErrorCode): void {
    const { call } = this
    if (this.isHeadSent) this.cut(code)
    else {
      this.hasBody = false
      refuse(this, code, { isFatal: true })
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
    this.endpoint?.api.policy?.onEnd?.(this)
    if (this.isConnectionLost) this.connection.isClosing = true
    this.connection.release()
  }
}
