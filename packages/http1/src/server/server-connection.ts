import type { Socket } from 'node:net'
import { ChunkedDecoder } from '../chunked-decoder.ts'
import type { BodySink } from '../chunked-decoder.ts'
import { HeadScanner } from '../head-scanner.ts'
import { MessageFault } from '../message-fault.ts'
import type { MessageFaultKind } from '../message-fault.ts'
import { IncomingRequest } from './incoming-request.ts'
import type { RequestSource } from './incoming-request.ts'
import { OutgoingAnswer } from './outgoing-answer.ts'
import type { AnswerSource } from './outgoing-answer.ts'
import { methodBytesMax, readRequestHead } from './request-head.ts'

/** Why a connection is of no more use: what came is no request, did not come in time, or is CONNECT. */
export type BrokenKind = MessageFaultKind | 'timeout' | 'tunnel'

/** Who deals with what comes over a connection. */
export interface ConnectionOwner {
  /** Requests come in the order of the client, and before those ahead of them are answered: the owner answers in this order. */
  handleRequest(request: IncomingRequest, answer: OutgoingAnswer): void
  /** Nothing more is read. The owner ends the connection. */
  handleBroken(kind: BrokenKind): void
}

const cr = 0x0d
const lf = 0x0a
/** Empty lines before a request that are passed over (RFC 9112 §2.2). */
const blankLinesMax = 4

/** `closed`: what still comes is thrown away. */
type State = 'head' | 'rest-of-head' | 'length' | 'chunked' | 'closed'

/**
 * One connection of a client. Takes its bytes apart into requests, wherever they are split, and
 * repairs nothing: see readRequestHead and ChunkedDecoder.
 */
export class ServerConnection implements BodySink, RequestSource, AnswerSource {
  readonly socket: Socket
  readonly #owner: ConnectionOwner
  readonly #scanner = new HeadScanner()
  readonly #chunks = new ChunkedDecoder()
  #state: State = 'head'
  /** Since when a head is awaited or incomplete, by `performance.now()`; Infinity: none is. */
  #headSinceMs = performance.now()
  #blankLines = 0
  #isAfterCr = false
  /** Of the body that is arriving, if its length was stated. */
  #left = 0
  /** The request whose body is arriving. */
  #arriving: IncomingRequest | null = null
  /** The client says that this request is its last. */
  #isLastRequest = false
  #isReadingPaused = false
  #onDrain: (() => void) | null = null

  constructor(socket: Socket, owner: ConnectionOwner) {
    this.socket = socket
    this.#owner = owner
    socket.on('data', (bytes: Buffer) => this.#handleBytes(bytes))
    socket.on('end', () => this.#handleEnd())
    socket.on('drain', () => this.#handleDrain())
    socket.on('close', () => this.#handleClose())
    // `close` follows.
    socket.on('error', () => undefined)
  }

  /** To be called at intervals: a head that is not whole after `headMs` is given up. */
  sweep(nowMs: number, headMs: number): void {
    if (nowMs - this.#headSinceMs > headMs) this.#break('timeout')
  }

  pauseReading(): void {
    if (this.#isReadingPaused) return
    this.#isReadingPaused = true
    this.socket.pause()
  }

  resumeReading(): void {
    if (!this.#isReadingPaused) return
    this.#isReadingPaused = false
    this.socket.resume()
  }

  takeBody(bytes: Buffer, start: number, end: number): void {
    this.#arriving?.takeBody(bytes.subarray(start, end))
  }

  whenDrained(listener: () => void): void {
    this.#onDrain = listener
  }

  handleAnswered(request: IncomingRequest, isLast: boolean): void {
    this.#onDrain = null
    if (isLast) {
      this.#stop()
      this.socket.destroySoon()
    } else if (!request.complete) request.discard()
  }

  #handleBytes(bytes: Buffer): void {
    let isCorked = false
    try {
      let at = 0
      while (at < bytes.length && this.#state !== 'closed') {
        at = this.#feed(bytes, at)
        if (isCorked || at === bytes.length || this.#state !== 'head') continue
        // Another request came with this one: what is answered at once goes out in one write.
        this.socket.cork()
        isCorked = true
      }
    } catch (error) {
      if (!(error instanceof MessageFault)) throw error
      this.#break(error.kind)
    } finally {
      if (isCorked) this.socket.uncork()
    }
  }

  /** Where the rest begins. */
  #feed(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#feedHead(bytes, this.#skipBlankLines(bytes, at))
      case 'rest-of-head':
        return this.#feedRestOfHead(bytes, at)
      case 'length':
        return this.#feedLength(bytes, at)
      case 'chunked':
        return this.#feedChunks(bytes, at)
      case 'closed':
        return bytes.length
    }
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
    if (endsAt === -1) {
      this.#state = 'rest-of-head'
      this.#scanner.start(false)
      if (this.#headSinceMs === Infinity) this.#headSinceMs = performance.now()
      return this.#feedRestOfHead(bytes, start)
    }
    this.#takeHead(bytes.toString('latin1', start, endsAt))
    return endsAt + 4
  }

  #feedRestOfHead(bytes: Buffer, start: number): number {
    const endsAt = this.#scanner.scan(bytes, start, bytes.length)
    if (endsAt !== -1) {
      this.#takeHead(this.#scanner.take())
      return endsAt
    }
    const { text } = this.#scanner
    // What does not begin like a request is refused before its end.
    if (text.length > methodBytesMax && text.lastIndexOf(' ', methodBytesMax) === -1)
      throw new MessageFault('malformed', 'no method of HTTP')
    return bytes.length
  }

  #takeHead(text: string): void {
    this.#headSinceMs = Infinity
    this.#blankLines = 0
    const head = readRequestHead(text)
    if (head.method === 'CONNECT') return this.#break('tunnel')
    const hasBody = head.isChunked || head.length > 0
    const request = new IncomingRequest(head, hasBody, this)
    this.#isLastRequest = !head.isKept
    if (!hasBody) this.#state = head.isKept ? 'head' : 'closed'
    else {
      this.#arriving = request
      this.#state = head.isChunked ? 'chunked' : 'length'
      this.#left = head.length
      if (head.isChunked) this.#chunks.start()
    }
    this.#owner.handleRequest(request, new OutgoingAnswer(this, request, head.isKept))
  }

  #feedLength(bytes: Buffer, start: number): number {
    const to = Math.min(bytes.length, start + this.#left)
    this.#left -= to - start
    this.takeBody(bytes, start, to)
    if (this.#left === 0) this.#endBody()
    return to
  }

  #feedChunks(bytes: Buffer, start: number): number {
    const endsAt = this.#chunks.decode(bytes, start, bytes.length, this)
    if (endsAt === -1) return bytes.length
    this.#endBody()
    return endsAt
  }

  #endBody(): void {
    const request = this.#arriving
    // Whoever read the body may have ended the connection.
    if (request === null) return
    this.#arriving = null
    this.#state = this.#isLastRequest ? 'closed' : 'head'
    request.takeEnd()
  }

  #break(kind: BrokenKind): void {
    this.#stop()
    this.#owner.handleBroken(kind)
  }

  /** Nothing more is looked at. It is read nonetheless: unread bytes would reset the connection under an answer. */
  #stop(): void {
    this.#state = 'closed'
    this.#headSinceMs = Infinity
    this.#arriving?.discard()
    this.#arriving = null
    this.resumeReading()
  }

  #handleDrain(): void {
    const listener = this.#onDrain
    this.#onDrain = null
    listener?.()
  }

  /** The client has closed its side. One that does so within a request, or before its answer, has left. */
  #handleEnd(): void {
    if (this.#arriving !== null || this.#state === 'rest-of-head') this.socket.destroy()
    else this.socket.end()
  }

  #handleClose(): void {
    const request = this.#arriving
    this.#stop()
    request?.takeClose()
  }
}
