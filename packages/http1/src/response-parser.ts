import { UpstreamFailure } from '@gatehouse/upstream/http'
import type { KnownAnswers } from './known-answers.ts'
import type { AnswerHead } from './answer-head.ts'
import { ChunkedDecoder } from './chunked-decoder.ts'
import type { BodySink } from './chunked-decoder.ts'
import { HeadScanner } from './head-scanner.ts'
import { headBytesMax } from './head-text.ts'
import { MessageFault } from './message-fault.ts'

export interface AnswerSink extends BodySink {
  /** An interim answer (RFC 9110 §15.2) other than 100 and 101, before the answer itself. */
  takeInterim(head: AnswerHead): void
  takeHead(head: AnswerHead): void
  /**
   * The last of the answer; nothing of the parser is touched afterwards.
   * `isClean`: no byte came behind it, and its end was not the end of the connection.
   */
  takeEnd(isClean: boolean): void
  /** 101 to a request that asked for it. Nothing behind it is HTTP. */
  takeSwitch(head: AnswerHead): void
  takeBehindSwitch(bytes: Buffer, start: number, end: number): void
}

/** Interim answers (RFC 9110 §15.2) before an answer. */
const interimMax = 20

type State = 'none' | 'head' | 'rest-of-head' | 'length' | 'chunked' | 'until-close' | 'switched'

/**
 * Reads the answers of one connection, one after the other, split wherever they may be. Strict: see
 * readAnswerHead and ChunkedDecoder. A sink may call `stop` from within; nothing reaches it afterwards.
 */
export class ResponseParser {
  readonly #sink: AnswerSink
  readonly #answers: KnownAnswers
  readonly #scanner = new HeadScanner()
  readonly #chunks = new ChunkedDecoder()
  #state: State = 'none'
  #isBodiless = false
  #isSwitchAsked = false
  #left = 0
  #interim = 0

  constructor(sink: AnswerSink, answers: KnownAnswers) {
    this.#sink = sink
    this.#answers = answers
  }

  /** A request has been sent: its answer comes next. `isSwitchAsked`: which may be 101. */
  start(method: string, isSwitchAsked = false): void {
    this.#isSwitchAsked = isSwitchAsked
    this.#state = 'head'
    this.#isBodiless = method === 'HEAD'
    this.#interim = 0
  }

  stop(): void {
    this.#state = 'none'
  }

  /** `bytes` is not kept. Throws UpstreamFailure; the connection is of no use then. */
  feed(bytes: Buffer, start: number, end: number): void {
    try {
      let at = start
      while (at < end && (this.#state === 'head' || this.#state === 'rest-of-head')) {
        at = this.#feedHead(bytes, at, end)
      }
      if (at < end) this.#feedBody(bytes, at, end)
    } catch (error) {
      throw error instanceof MessageFault ? failureOf(error) : error
    }
  }

  #feedBody(bytes: Buffer, start: number, end: number): void {
    if (this.#state === 'length') this.#feedLength(bytes, start, end)
    else if (this.#state === 'chunked') this.#feedChunks(bytes, start, end)
    else if (this.#state === 'until-close') this.#sink.takeBody(bytes, start, end)
    else if (this.#state === 'switched') this.#sink.takeBehindSwitch(bytes, start, end)
  }

  /** The upstream has closed its side. Throws UpstreamFailure where the answer is not whole. */
  finish(): void {
    if (this.#state === 'none') return
    if (this.#state !== 'until-close') {
      throw new UpstreamFailure('cut', 'the connection ended before the answer did')
    }
    this.#state = 'none'
    this.#sink.takeEnd(false)
  }

  /** Where the rest begins. */
  #feedHead(bytes: Buffer, start: number, end: number): number {
    if (this.#state === 'head') {
      const endsAt = bytes.indexOf('\r\n\r\n', start, 'latin1')
      if (endsAt !== -1 && endsAt + 4 <= end && endsAt + 4 - start <= headBytesMax) {
        const head = this.#answers.read(bytes.toString('latin1', start, endsAt))
        this.#takeHead(head, endsAt + 4 === end)
        return endsAt + 4
      }
      this.#scanner.start(false)
      this.#state = 'rest-of-head'
    }
    const { text } = this.#scanner
    if (text.length < begin.length) {
      refuseOther(text + bytes.toString('latin1', start, Math.min(end, start + begin.length)))
    }
    const endsAt = this.#scanner.scan(bytes, start, end)
    if (endsAt === -1) return end
    this.#takeHead(this.#answers.read(this.#scanner.take()), endsAt === end)
    return endsAt
  }

  #takeHead(head: AnswerHead, isLast: boolean): void {
    this.#state = 'head'
    if (head.status < 200) {
      if (head.status === 101) return this.#switch(head)
      if (++this.#interim > interimMax) {
        throw new UpstreamFailure('protocol', 'too many interim answers')
      }
      // RFC 9110 §8.6 and RFC 9112 §6.1: another reader might wait for its body.
      if (head.isChunked || head.length > 0)
        throw new UpstreamFailure('protocol', 'an interim answer says that it has a body')
      if (head.status !== 100 && head.length === -1) this.#sink.takeInterim(head)
      return
    }
    this.#begin(head)
    this.#sink.takeHead(head)
    this.#endIfWhole(isLast)
  }

  #switch(head: AnswerHead): void {
    if (!this.#isSwitchAsked)
      throw new UpstreamFailure('protocol', 'a switch of protocol came unasked')
    this.#state = 'switched'
    this.#sink.takeSwitch(head)
  }

  /** RFC 9112 §6.3. */
  #begin({ status, length, isChunked }: AnswerHead): void {
    if (this.#isBodiless || status === 204 || status === 304) {
      this.#state = 'length'
      this.#left = 0
    } else if (isChunked) {
      this.#state = 'chunked'
      this.#chunks.start()
    } else {
      this.#state = length === -1 ? 'until-close' : 'length'
      this.#left = length
    }
  }

  #feedLength(bytes: Buffer, start: number, end: number): void {
    const to = Math.min(end, start + this.#left)
    this.#left -= to - start
    this.#sink.takeBody(bytes, start, to)
    this.#endIfWhole(to === end)
  }

  #endIfWhole(isLast: boolean): void {
    if (this.#state === 'length' && this.#left === 0) this.#end(isLast)
  }

  #feedChunks(bytes: Buffer, start: number, end: number): void {
    const endsAt = this.#chunks.decode(bytes, start, end, this)
    if (endsAt !== -1 && this.#state === 'chunked') this.#end(endsAt === end)
  }

  takeBody(bytes: Buffer, start: number, end: number): void {
    if (this.#state === 'chunked') this.#sink.takeBody(bytes, start, end)
  }

  #end(isClean: boolean): void {
    this.#state = 'none'
    this.#sink.takeEnd(isClean)
  }
}

const failureOf = ({ kind, message }: MessageFault) =>
  new UpstreamFailure(kind === 'malformed' ? 'protocol' : kind, message)

const begin = 'HTTP/1.'

/** What does not even begin like an answer is refused before its end. */
function refuseOther(text: string): void {
  if (!begin.startsWith(text.slice(0, begin.length))) {
    throw new UpstreamFailure('protocol', 'the answer does not begin with a status line of HTTP/1')
  }
}
