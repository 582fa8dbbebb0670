import { allFields, FieldBlock } from '@gatehouse/http1'
import type { AnswerHead, CallConnection, OutgoingCall, Switching } from '@gatehouse/http1'
import { UpstreamFailure } from '@gatehouse/upstream/http'
import type { UpstreamTarget } from '../snapshot/upstream-origins.ts'
import { passedFields } from './answer-fields.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { answerFromTemplate, TemplateBody } from './template-answer.ts'
import { giveUpCall } from './given-up-call.ts'
import { refuseFailure } from './refuse-failure.ts'
import { JudgedBody, judgeToken, refusesToken } from './sign-in-call.ts'
import { answerFieldsAfter, isAnswerMapped } from '../transformation/change-answer.ts'
import { checkOfAnswer } from '../validation/answer-check.ts'
import type { AnswerCheck } from '../validation/answer-check.ts'
import { openWebSocket } from './open-web-socket.ts'
import { traceCall } from './trace-call.ts'
import type { AnswerHeaders, CallRequest, UpstreamCall } from '../exchange/upstream-call.ts'

/** Answers up to this size are sent with their head, in one write. */
const oneWriteBytes = 64 * 1024

/** How long a client of an event stream may be silent before TCP asks for it. */
const probeMs = 60_000

/** WHATWG HTML §9.2: server-sent events. `text`: a head. */
const isEventStream = (text: string) =>
  /^content-type:[ \t]*text\/event-stream[ \t]*(?:;|\r?$)/im.test(text)

/**
 * One request to an upstream. The answer goes to the client as it comes, with back-pressure; what
 * breaks before its head becomes a 502 or 504, what breaks later a cut connection.
 */
export class HttpCall implements UpstreamCall, OutgoingCall {
  readonly exchange: Exchange
  readonly target: UpstreamTarget
  readonly request: CallRequest
  readonly method: string
  readonly isRepeatable: boolean
  timeoutMs: number
  readonly switching: Switching | null
  readonly startedAtMs = performance.now()
  /** A byte of the request may have left. */
  isSent = false
  status = 0
  failure: UpstreamFailure | null = null
  /** Nothing of it concerns the client any more. */
  isDropped = false
  #head: AnswerHead | null = null
  #headers: AnswerHeaders | null = null
  #connection: CallConnection | null = null
  #received = 0
  #template: TemplateBody | null = null
  /** What is here of a body that may refuse the token. Until it is judged, the answer waits. */
  #judged: JudgedBody | null = null
  #check: AnswerCheck | null = null

  constructor(exchange: Exchange, target: UpstreamTarget, request: CallRequest) {
    this.exchange = exchange
    this.target = target
    this.request = request
    this.method = exchange.method
    this.isRepeatable = exchange.endpoint?.config.is_repeatable ?? false
    this.timeoutMs = exchange.endpoint?.answerTimeoutMs ?? 0
    this.switching = exchange.webSocket === null ? null : this.#askToSwitch()
  }

  get path(): string {
    return this.request.path
  }

  get fields(): string[] {
    return this.request.headers
  }

  get body(): CallRequest['body'] {
    return this.request.body
  }

  get bodyLength(): number {
    return this.exchange.contentLength
  }

  /** Of the answer. Made on the first read: most answers are passed on without reading them. */
  get headers(): AnswerHeaders {
    return (this.#headers ??= this.#head === null ? {} : allFields(this.#head))
  }

  send(): void {
    this.exchange.gateway.origins.poolOf(this.target.upstream).dispatch(this)
  }

  /** The client has left, or a policy calls again. */
  cancel(): void {
    this.drop()
    this.#connection?.abort(this, new UpstreamFailure('aborted', 'the client has left'))
  }

  /** From now on this call is not the one that answers. */
  drop(): void {
    this.isDropped = true
    this.request.span?.end(this)
  }

  handleStart(connection: CallConnection): boolean {
    if (this.isDropped) return false
    this.isSent = true
    this.exchange.isSent = true
    this.#connection = connection
    return true
  }

  /** RFC 9110 §15.2: a proxy passes on what it has not asked for itself. */
  handleInterim(head: AnswerHead): void {
    const { exchange } = this
    if (this.#isOver || exchange.webSocket !== null) return
    exchange.res.writeInterim?.(head.status, passedFields(head))
  }

  handleHead(head: AnswerHead): void {
    if (this.isDropped) return
    this.#head = head
    this.status = head.status
    this.exchange.upstreamStatus = head.status
    const { again } = this.request
    if (again !== null) {
      const verdict = judgeToken(this.exchange, this)
      if (verdict === 'refused') return this.#signInAgain()
      if (verdict === 'read') {
        this.#judged = new JudgedBody()
        return
      }
    }
    this.#takeHead(head)
  }

  #askToSwitch(): Switching {
    return {
      protocol: 'websocket',
      handleSwitched: (head, connection) => {
        if (this.#isOver) throw new UpstreamFailure('aborted', 'the client has left')
        this.#head = head
        openWebSocket(this.exchange, head, connection)
        this.status = head.status
        this.exchange.upstreamStatus = head.status
        this.#end()
      },
    }
  }

  /** The answer is for the client, or for a policy. */
  #takeHead({ status, length, text }: AnswerHead): void {
    const { exchange } = this
    const { policy } = exchange
    if (policy?.onAnswerHead && policy.onAnswerHead(exchange, this)) {
      this.drop()
      return
    }
    this.#check = checkOfAnswer(exchange, this)
    const isBodiless = exchange.method === 'HEAD' || status === 204 || status === 304
    const isRendered =
      exchange.endpoint?.output?.kind === 'template' && status !== 204 && status !== 304
    if (isRendered || isAnswerMapped(exchange, status)) {
      this.#template = new TemplateBody()
      return
    }
    // Without a body, or with a small one, the head waits for it: one write.
    if (!isBodiless && (length > oneWriteBytes || length === -1)) {
      if (length === -1 && isEventStream(text)) this.#keepOpen()
      this.#sendHead()
      exchange.res.flushHeaders()
    }
  }

  handleData(bytes: Buffer, start: number, end: number, isLent: boolean): void {
    const { exchange } = this
    if (this.isDropped || exchange.isEnded) return
    if (this.#judged !== null) {
      if (this.#judged.append(bytes.subarray(start, end))) return
      this.#pass(this.#judged)
      if (this.#isOver) return
    }
    this.#check?.append(bytes.subarray(start, end))
    if (this.#template !== null) {
      if (!this.#template.append(bytes.subarray(start, end))) this.#refuseTooLarge()
      return
    }
    this.#received += end - start
    exchange.bytesOut += end - start
    const onAnswerData = exchange.policy?.onAnswerData ?? null
    const isWhole = !exchange.isHeadSent && this.#received === this.#head?.length
    const part = bytes.subarray(start, end)
    const isCopied = onAnswerData === null && part.length <= (exchange.res.copiedBytesMax ?? 0)
    const chunk = isLent && !isCopied ? Buffer.from(part) : part
    onAnswerData?.(exchange, chunk)
    if (!exchange.isHeadSent) this.#sendHead()
    if (isWhole && !exchange.isUnread) {
      this.#end()
      exchange.endWith(chunk, 'latin1')
    } else this.#write(chunk)
  }

  handleEnd(): void {
    const { exchange } = this
    this.#connection = null
    if (this.#isOver) return
    if (this.#judged !== null) {
      if (refusesToken(exchange, this, this.#judged.take())) return this.#signInAgain()
      this.#pass(this.#judged)
      if (this.#isOver) return
    }
    this.#end()
    if (this.#template !== null) {
      answerFromTemplate(exchange, this, this.#template)
      return
    }
    if (!exchange.isHeadSent) this.#sendHead()
    exchange.end()
  }

  handleFailure(failure: UpstreamFailure): void {
    const { exchange } = this
    this.#connection = null
    if (this.isDropped || exchange.isEnded) return
    this.failure = failure
    exchange.detail = failure.message
    this.#check = null
    this.#end()
    if (exchange.isHeadSent) {
      exchange.cut(`upstream.${failure.failure}`)
      return
    }
    const onCallFailed = exchange.policy?.onCallFailed
    if (onCallFailed && onCallFailed(exchange, this)) this.drop()
    else refuseFailure(exchange, failure)
  }

  handleFault(error: unknown): void {
    this.#connection = null
    this.exchange.handleFault(error)
  }

  /** Events may be hours apart. TCP finds out about an upstream or a client that is gone without a word. */
  #keepOpen(): void {
    this.timeoutMs = 0
    this.exchange.connection.socket.setKeepAlive(true, probeMs)
  }

  /** The client has its answer, or gets it from elsewhere. */
  get #isOver(): boolean {
    return this.isDropped || this.exchange.isEnded
  }

  /** An answer that was held, and does not refuse the token as far as can be seen. */
  #pass(judged: JudgedBody): void {
    this.#judged = null
    if (this.#head === null) throw new Error('There is no body without a head.')
    this.#takeHead(this.#head)
    const held = judged.take()
    if (held.length > 0) this.handleData(held, 0, held.length, false)
  }

  #signInAgain(): void {
    giveUpCall(this.exchange, this)
    this.request.again?.(this)
  }

  #write(chunk: Buffer): void {
    const { res } = this.exchange
    const connection = this.#connection
    if (res.write(chunk) || connection === null) return
    connection.pause(this)
    res.once('drain', () => connection.resume(this))
  }

  #refuseTooLarge(): void {
    const failure = new UpstreamFailure('too_large', 'more than a template can read')
    this.#connection?.abort(this, failure)
  }

  #sendHead(): void {
    const head = this.#head
    if (head === null) throw new Error('There is no answer without a head.')
    const fields = answerFieldsAfter(this.exchange, this, passedFields(head))
    const isPassed = fields === head.passed
    this.exchange.sendHead(
      this.status,
      isPassed ? (head.block ??= new FieldBlock(head.passed)) : fields,
    )
  }

  #end(): void {
    this.request.span?.end(this)
    this.#check?.finish(this.exchange)
    this.exchange.upstreamMs += performance.now() - this.startedAtMs
    if (this.exchange.trace !== null) traceCall(this.exchange, this)
  }
}
