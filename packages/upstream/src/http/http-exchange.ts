import type { Dispatcher } from 'undici'
import { BoundedBody } from './bounded-body.ts'
import { decodeBody } from './decode-body.ts'
import { classifyExchangeError, UpstreamFailure } from '../failures.ts'
import { joinRawHeaders, stripHopByHopHeaders } from '../headers.ts'
import type { HeaderRecord } from '../headers.ts'
import type { HttpAnswer } from './http-answer.ts'

interface ExchangeOptions {
  answerTimeoutMs: number
  maxAnswerBytes: number
  signal?: AbortSignal | undefined
  maySend?: (() => boolean) | undefined
}

/**
 * One request and its answer, as undici's handler. `answer` settles exactly once and never rejects;
 * what is still going on by then is torn down with its connection.
 */
export class HttpExchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<HttpAnswer>
  readonly #options: ExchangeOptions
  readonly #startedAtMs = performance.now()
  readonly #body: BoundedBody
  readonly #resolve: (answer: HttpAnswer) => void
  #controller: Dispatcher.DispatchController | undefined
  #timer: NodeJS.Timeout | undefined
  #isSent = false
  #isOver = false
  #head: { status: number; headers: HeaderRecord } | undefined

  constructor(options: ExchangeOptions) {
    const { promise, resolve } = Promise.withResolvers<HttpAnswer>()
    this.answer = promise
    this.#resolve = resolve
    this.#options = options
    this.#body = new BoundedBody(options.maxAnswerBytes)
    if (options.signal?.aborted) this.#handleAbort()
    else options.signal?.addEventListener('abort', this.#handleAbort, { once: true })
  }

  /** True once `answer` is decided: nothing more needs to be sent. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Called with a connection in hand, immediately before the request is written to it. */
  onRequestStart(controller: Dispatcher.DispatchController) {
    if (this.#isSent) {
      // As it is used here, undici never writes a request twice. If it did, this would stop it: a submit is sent once.
      this.fail(new UpstreamFailure('cut', 'the connection was lost after the request had left'))
    }
    if (this.#options.maySend?.() === false)
      this.fail(new UpstreamFailure('aborted', 'the right to send it had ended'))
    if (this.#isOver) {
      controller.abort(new UpstreamFailure('aborted', 'the call was given up before it was sent'))
      return
    }
    this.#isSent = true
    this.#controller = controller
    this.#timer = setTimeout(() => {
      const detail = `no complete answer within ${this.#options.answerTimeoutMs} ms, ${this.#progress()}`
      this.fail(new UpstreamFailure('timeout', detail))
    }, this.#options.answerTimeoutMs)
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number) {
    // Interim answers (RFC 9110 §15.2) say nothing yet.
    if (this.#isOver || status < 200) return
    const raw = Array.isArray(controller.rawHeaders) ? controller.rawHeaders : []
    const headers = stripHopByHopHeaders(joinRawHeaders(raw))
    this.#head = { status, headers }
    const hasBody = status !== 204 && status !== 304
    const announcedBytes = hasBody ? Number(headers['content-length'] ?? 0) : 0
    if (announcedBytes > this.#options.maxAnswerBytes) this.#failTooLarge()
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer) {
    if (!this.#isOver && !this.#body.append(chunk)) this.#failTooLarge()
  }

  onResponseEnd() {
    if (this.#isOver || !this.#head) return
    this.#end()
    void this.#finish(this.#head)
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error) {
    if (this.#isOver) return
    const failure = classifyExchangeError(error, this.#head !== undefined)
    // A connector's failure is classified already; a later one depends on how far the answer had come.
    const detail = this.#isSent ? `${failure.message}, ${this.#progress()}` : failure.message
    this.fail(new UpstreamFailure(failure.failure, detail, failure.cause ?? failure))
  }

  /** Decides the answer, unless it is decided, and drops the connection. */
  fail(failure: UpstreamFailure) {
    if (this.#isOver) return
    this.#end()
    this.#resolve(this.#failed(failure))
    this.#controller?.abort(failure)
  }

  async #finish({ status, headers }: { status: number; headers: HeaderRecord }) {
    try {
      const encoding = headers['content-encoding']
      const body = await decodeBody(this.#body.take(), encoding, this.#options.maxAnswerBytes)
      if (encoding !== undefined) {
        delete headers['content-encoding']
        delete headers['content-length']
      }
      this.#resolve({ ok: true, status, headers, body, durationMs: this.#durationMs() })
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error))
      this.#resolve(this.#failed(classifyExchangeError(cause, true)))
    }
  }

  #failed(failure: UpstreamFailure): HttpAnswer {
    return {
      ok: false,
      code: failure.failure,
      isSent: this.#isSent,
      ...(this.#head ? { status: this.#head.status } : {}),
      detail: failure.message,
      durationMs: this.#durationMs(),
      cause: failure.cause ?? failure,
    }
  }

  #failTooLarge() {
    const detail = `the answer is larger than ${this.#options.maxAnswerBytes} bytes`
    this.fail(new UpstreamFailure('too_large', detail))
  }

  #end() {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#options.signal?.removeEventListener('abort', this.#handleAbort)
  }

  #progress(): string {
    if (!this.#head) return 'before the head of the answer was complete'
    return `after status ${this.#head.status} and ${this.#body.lengthBytes} bytes of the body`
  }

  #durationMs(): number {
    return performance.now() - this.#startedAtMs
  }

  readonly #handleAbort = () => {
    const moment = this.#isSent ? this.#progress() : 'before it was sent'
    this.fail(new UpstreamFailure('aborted', `the call was given up ${moment}`))
  }
}
