import { classifyExchangeError, UpstreamFailure } from '@gatehouse/upstream/http'
import type { Dispatcher } from 'undici'
import type { UpstreamTarget } from '../snapshot/upstream-origins.ts'
import { answerFields } from './answer-fields.ts'
import type { Exchange } from './exchange.ts'
import { answerFromTemplate, TemplateBody } from './template-answer.ts'
import { refuseFailure } from './refuse-failure.ts'
import { traceCall } from './trace-details.ts'
import type { AnswerHeaders, CallRequest, UpstreamCall } from './upstream-call.ts'

/** Answers up to this size are sent with their head, in one write. */
const oneWriteBytes = 64 * 1024
/** Up to here a copy into a string is cheaper than a second buffer in the same write. */
const stringBytes = 4 * 1024
/** Interim answers (RFC 9110 §15.2) that are passed over; each would put the time-out off. */
const interimMax = 20

/**
 * One request to an upstream, as undici's handler. The answer goes to the client as it comes, with
 * back-pressure; what breaks before its head becomes a 502 or 504, what breaks later a cut connection.
 */
export class HttpCall implements UpstreamCall, Dispatcher.DispatchHandler {
  readonly exchange: Exchange
  readonly target: UpstreamTarget
  readonly request: CallRequest
  readonly startedAtMs = performance.now()
  /** A byte of the request may have left. */
  isSent = false
  status = 0
  headers: AnswerHeaders = {}
  failure: UpstreamFailure | null = null
  /** Nothing of it concerns the client any more. */
  isDropped = false
  #controller: Dispatcher.DispatchController | null = null
  #length = -1
  #received = 0
  #interim = 0
  #template: TemplateBody | null = null

  constructor(exchange: Exchange, target: UpstreamTarget, request: CallRequest) {
    this.exchange = exchange
    this.target = target
    this.request = request
  }

  send(): void {
    const { exchange, target, request } = this
    const timeoutMs = exchange.endpoint?.api.answerTimeoutMs ?? 0
    exchange.gateway.origins.poolOf(target.upstream).dispatch(
      {
        path: request.path,
        method: exchange.method,
        headers: request.headers,
        body: request.body,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      },
      this,
    )
  }

  /** The client has left, or a policy calls again. */
  cancel(): void {
    this.drop()
    this.#controller?.abort(new UpstreamFailure('aborted', 'the client has left'))
  }

  /** From now on this call is not the one that answers. */
  drop(): void {
    this.isDropped = true
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.isSent || this.isDropped) {
      controller.abort(new UpstreamFailure('aborted', 'the call was given up before it was sent'))
      return
    }
    this.isSent = true
    this.#controller = controller
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: AnswerHeaders,
  ): void {
    if (this.isDropped) return
    if (status < 200) {
      if (++this.#interim > interimMax) {
        controller.abort(new UpstreamFailure('protocol', 'too many interim answers'))
      }
      return
    }
    const { exchange } = this
    this.status = status
    this.headers = headers
    const policy = exchange.endpoint?.api.policy
    if (policy?.onAnswerHead && policy.onAnswerHead(exchange, this)) {
      this.drop()
      return
    }
    if (exchange.endpoint?.output?.kind === 'template' && status !== 204 && status !== 304) {
      this.#template = new TemplateBody()
      return
    }
    const length = headers['content-length']
    this.#length = typeof length === 'string' ? Number(length) : -1
    // Without a body, or with a small one, the head waits for it: one write.
    const isHeadAlone = this.#length > oneWriteBytes || this.#length === -1
    if (isHeadAlone && exchange.method !== 'HEAD' && status !== 204 && status !== 304) {
      this.#sendHead()
      exchange.res.flushHeaders()
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { exchange } = this
    if (this.isDropped || exchange.isEnded) return
    if (this.#template !== null) {
      if (!this.#template.append(chunk)) {
        controller.abort(new UpstreamFailure('too_large', 'more than a template can read'))
      }
      return
    }
    this.#received += chunk.length
    exchange.bytesOut += chunk.length
    exchange.endpoint?.api.policy?.onAnswerData?.(exchange, chunk)
    if (!exchange.isHeadSent) {
      this.#sendHead()
      if (this.#received === this.#length && !exchange.isUnread) {
        this.#end()
        if (chunk.length > stringBytes) exchange.endWith(chunk, 'latin1')
        else exchange.endWith(chunk.toString('latin1'), 'latin1')
        return
      }
    }
    if (!exchange.res.write(chunk)) {
      controller.pause()
      exchange.res.once('drain', () => controller.resume())
    }
  }

  onResponseEnd(): void {
    const { exchange } = this
    if (this.isDropped || exchange.isEnded) return
    this.#end()
    if (this.#template !== null) {
      void answerFromTemplate(exchange, this, this.#template)
      return
    }
    if (!exchange.isHeadSent) this.#sendHead()
    exchange.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    const { exchange } = this
    if (this.isDropped || exchange.isEnded) return
    this.failure = classify(error, this.status !== 0)
    exchange.detail = this.failure.message
    this.#end()
    if (exchange.isHeadSent) {
      exchange.cut(`upstream.${this.failure.failure}`)
      return
    }
    const onCallFailed = exchange.endpoint?.api.policy?.onCallFailed
    if (onCallFailed && onCallFailed(exchange, this)) this.drop()
    else refuseFailure(exchange, this.failure)
  }

  #sendHead(): void {
    this.exchange.sendHead(this.status, answerFields(this.headers, this.status))
  }

  #end(): void {
    this.exchange.upstreamMs += performance.now() - this.startedAtMs
    if (this.exchange.trace !== null) traceCall(this.exchange, this)
  }
}

function classify(error: Error, hasHead: boolean): UpstreamFailure {
  const code = 'code' in error ? error.code : ''
  if (code === 'UND_ERR_HEADERS_TIMEOUT') {
    return new UpstreamFailure('timeout', 'no head of an answer within the answer time-out', error)
  }
  if (code === 'UND_ERR_BODY_TIMEOUT') {
    return new UpstreamFailure('timeout', 'the body of the answer came to a halt', error)
  }
  return classifyExchangeError(error, hasHead)
}
