import { ChunkedDecoder } from '../chunked-decoder.ts'
import type { BodySink } from '../chunked-decoder.ts'
import { HeadScanner } from '../head-scanner.ts'
import { MessageFault } from '../message-fault.ts'
import { methodBytesMax, readRequestHead, tooLarge, unknownMethod } from './request-head.ts'
import type { RequestHead } from './request-head.ts'

/** Takes what a client sends. */
export interface RequestSink extends BodySink {
  /** `hasBody`: parts of it, if it has any, and `takeEnd` follow. */
  takeRequest(head: RequestHead, hasBody: boolean): void
  takeEnd(): void
  /** What a client has sent behind a request to switch to another protocol. */
  takeBehindUpgrade(bytes: Buffer): void
}

const cr = 0x0d
const lf = 0x0a
/** Empty lines before a request that are passed over (RFC 9112 §2.2). */
const blankLinesMax = 4

/** Larger heads are not kept, so that idle connections stay small. */
const keptHeadMax = 2_048

/** `closed`: what still comes is thrown away. `upgrade`: it is of another protocol, if of any. */
type State = 'head' | 'rest-of-head' | 'length' | 'chunked' | 'upgrade' | 'closed'

/**
 * Takes the bytes of a connection apart into requests, wherever they are split. Strict: see
 * readRequestHead and ChunkedDecoder. A request that the client calls its last is. A sink may call
 * `stop` from within; nothing reaches it afterwards.
 */
export class RequestParser implements BodySink {
  readonly #sink: RequestSink
  readonly #scanner = new HeadScanner()
  readonly #chunks = new ChunkedDecoder()
  #state: State = 'head'
  /** The head that was read last: clients repeat theirs, but for the target. */
  #known: RequestHead | null = null
  #blankLines = 0
  #isAfterCr = false
  #isLast = false
  /** Of a body whose length was stated. */
  #left = 0

  constructor(sink: RequestSink) {
    this.#sink = sink
  }

  /** All of a request is here, and nothing yet of another. */
  get isBetween(): boolean {
    return this.#state === 'head'
  }

  /** A request has begun, and its end is not here yet. */
  get isWithin(): boolean {
    return this.#state !== 'head' && this.#state !== 'closed'
  }

  get isHeadBegun(): boolean {
    return this.#state === 'rest-of-head'
  }

  stop(): void {
    this.#state = 'closed'
  }

  /** Reads on from `at` and says where the rest begins: at the latest where a head or a body ends. Throws MessageFault. */
  feed(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#feedHead(bytes, this.#skipBlankLines(bytes, at))
      case 'rest-of-head':
        return this.#feedRestOfHead(bytes, at)
      case 'length':
        return this.#feedLength(bytes, at)
      case 'chunked':
        return this.#feedChunks(bytes, at)
      case 'upgrade':
        this.#sink.takeBehindUpgrade(bytes.subarray(at))
        break
      case 'closed':
    }
    return bytes.length
  }

  takeBody(bytes: Buffer, start: number, end: number): void {
    if (this.#state === 'chunked') this.#sink.takeBody(bytes, start, end)
  }

  #skipBlankLines(bytes: Buffer, start: number): number {
    let at = start
    for (; at < bytes.length; at++) {
      const byte = bytes[at]
      if (this.#isAfterCr) {
        if (byte !== lf || ++this.#blankLines > blankLinesMax)
          throw new MessageFault('malformed', 'empty lines in place of a request')
        this.#isAfterCr = false
      } else if (byte === cr) this.#isAfterCr = true
      else break
    }
    return at
  }

  #feedHead(bytes: Buffer, start: number): number {
    if (start === bytes.length) return start
    const endsAt = bytes.indexOf('\r\n\r\n', start, 'latin1')
    if (endsAt !== -1) {
      this.#takeHead(bytes.toString('latin1', start, endsAt))
      return endsAt + 4
    }
    this.#state = 'rest-of-head'
    this.#scanner.start(false)
    return this.#feedRestOfHead(bytes, start)
  }

  #feedRestOfHead(bytes: Buffer, start: number): number {
    const endsAt = this.#scan(bytes, start)
    if (endsAt !== -1) {
      this.#takeHead(this.#scanner.take())
      return endsAt
    }
    const { text } = this.#scanner
    // What does not begin like a request is refused before its end.
    if (text.length > methodBytesMax && text.lastIndexOf(' ', methodBytesMax) === -1)
      throw unknownMethod(text.slice(0, methodBytesMax))
    return bytes.length
  }

  #scan(bytes: Buffer, start: number): number {
    try {
      return this.#scanner.scan(bytes, start, bytes.length)
    } catch (error) {
      throw error instanceof MessageFault && error.kind === 'too_large'
        ? tooLarge(this.#scanner.text)
        : error
    }
  }

  #takeHead(text: string): void {
    const head = readRequestHead(text, this.#known)
    this.#known = text.length <= keptHeadMax ? head : null
    const hasBody = head.isChunked || head.length > 0
    this.#blankLines = 0
    this.#isLast = !head.isKept
    this.#left = head.length
    if (!hasBody) this.#state = head.isUpgrade ? 'upgrade' : this.#isLast ? 'closed' : 'head'
    else if (head.isChunked) {
      this.#state = 'chunked'
      this.#chunks.start()
    } else this.#state = 'length'
    this.#sink.takeRequest(head, hasBody)
  }

  #feedLength(bytes: Buffer, start: number): number {
    const to = Math.min(bytes.length, start + this.#left)
    this.#left -= to - start
    this.#sink.takeBody(bytes, start, to)
    if (this.#left === 0) this.#end('length')
    return to
  }

  #feedChunks(bytes: Buffer, start: number): number {
    const endsAt = this.#chunks.decode(bytes, start, bytes.length, this)
    if (endsAt === -1) return bytes.length
    this.#end('chunked')
    return endsAt
  }

  /** Unless the sink has stopped it with the last part. */
  #end(state: State): void {
    if (this.#state !== state) return
    this.#state = this.#isLast ? 'closed' : 'head'
    this.#sink.takeEnd()
  }
}
