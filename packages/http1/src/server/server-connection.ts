import type { Socket } from 'node:net'
import { MessageFault, RequestFault } from '../message-fault.ts'
import type { MessageFaultKind, RequestFaultReason } from '../message-fault.ts'
import type { ReadBuffer } from '../read-buffer.ts'
import type { SwitchedConnection } from '../switched-connection.ts'
import { releaseHeld } from '../write-burst.ts'
import { HeldUpgrade } from './held-upgrade.ts'
import { IncomingRequest } from './incoming-request.ts'
import type { RequestSource } from './incoming-request.ts'
import { OutgoingAnswer } from './outgoing-answer.ts'
import type { AnswerSource } from './outgoing-answer.ts'
import type { RequestHead } from './request-head.ts'
import { RequestParser } from './request-parser.ts'
import type { RequestSink } from './request-parser.ts'

/** Bodies beyond this are read into memory that is passed on instead of copied. */
const smallBytes = 64 * 1024

/** Why a connection is of no more use: what came is no request, did not come in time, or is CONNECT. */
export type BrokenKind = MessageFaultKind | RequestFaultReason | 'timeout' | 'tunnel'

/** Who deals with what comes over a connection. */
export interface ConnectionOwner {
  /** Requests come in the order of the client, and before those ahead of them are answered: the owner answers in this order. */
  handleRequest(request: IncomingRequest, answer: OutgoingAnswer): void
  /** Nothing more is read. The owner ends the connection. */
  handleBroken(kind: BrokenKind): void
}

/** One connection of a client: requests are read from it, and their answers written to it. */
export class ServerConnection implements RequestSink, RequestSource, AnswerSource {
  readonly socket: Socket
  readonly #owner: ConnectionOwner
  readonly #reading: ReadBuffer | null
  readonly #parser = new RequestParser(this)
  /** What has just been read is in memory that is used again. */
  #isLent = false
  /** Since when a head is awaited or incomplete, by `performance.now()`; Infinity: none is. */
  #headSinceMs = performance.now()
  /** The request whose body is arriving. */
  #arriving: IncomingRequest | null = null
  /** The body of a request waits for its reader. */
  #isBodyWaiting = false
  /** The client sends requests and does not read the answers. */
  #isClientBehind = false
  #onDrain: (() => void) | null = null
  /** Null: no request has asked for another protocol. */
  #upgrade: HeldUpgrade | null = null

  /** `reading`: null for a socket that does not read by way of one. */
  constructor(socket: Socket, owner: ConnectionOwner, reading: ReadBuffer | null = null) {
    this.socket = socket
    this.#owner = owner
    this.#reading = reading
    if (reading === null) socket.on('data', (bytes: Buffer) => this.#handleBytes(bytes))
    else {
      reading.handleBytes = (bytes, length) => {
        this.#isLent = reading.isLent(bytes)
        this.#handleBytes(bytes.subarray(0, length))
      }
    }
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
    this.#isBodyWaiting = true
    this.socket.pause()
  }

  resumeReading(): void {
    if (!this.#isBodyWaiting) return
    this.#isBodyWaiting = false
    if (!this.#isClientBehind) this.socket.resume()
  }

  takeRequest(head: RequestHead, hasBody: boolean): void {
    this.#headSinceMs = Infinity
    if (head.method === 'CONNECT') return this.#break('tunnel')
    const request = new IncomingRequest(head, hasBody, this)
    if (hasBody) {
      this.#arriving = request
      if (this.#reading !== null)
        this.#reading.isPassedOn = head.isChunked || head.length > smallBytes
    }
    this.#owner.handleRequest(request, new OutgoingAnswer(this, request, head.isKept))
  }

  takeBody(bytes: Buffer, start: number, end: number): void {
    const part = bytes.subarray(start, end)
    this.#arriving?.takeBody(this.#isLent ? Buffer.from(part) : part)
  }

  takeEnd(): void {
    const request = this.#arriving
    this.#arriving = null
    if (this.#reading !== null) this.#reading.isPassedOn = false
    request?.takeEnd()
  }

  takeBehindUpgrade(bytes: Buffer): void {
    const upgrade = (this.#upgrade ??= new HeldUpgrade())
    upgrade.take(bytes, this.#isLent)
    if (upgrade.bytes > smallBytes && upgrade.taker === null) this.pauseReading()
  }

  handleSwitched(): SwitchedConnection {
    this.#onDrain = null
    return {
      socket: this.socket,
      start: (taker) => {
        this.resumeReading()
        const upgrade = (this.#upgrade ??= new HeldUpgrade())
        upgrade.giveTo(taker)
      },
    }
  }

  whenDrained(listener: () => void): void {
    this.#onDrain = listener
  }

  handleAnswered(request: IncomingRequest, isLast: boolean): void {
    this.#onDrain = null
    if (isLast) {
      this.#stop()
      this.socket.destroySoon()
      return
    }
    if (!request.complete) request.discard()
    if (this.socket.writableNeedDrain) {
      this.#isClientBehind = true
      this.socket.pause()
    }
  }

  #handleBytes(bytes: Buffer): void {
    const parser = this.#parser
    let isCorked = false
    try {
      for (let at = 0; at < bytes.length;) {
        at = parser.feed(bytes, at)
        if (isCorked || at === bytes.length || !parser.isBetween) continue
        // Another request came with this one: what is answered at once goes out in one write.
        this.socket.cork()
        isCorked = true
      }
      if (parser.isHeadBegun && this.#headSinceMs === Infinity)
        this.#headSinceMs = performance.now()
    } catch (error) {
      if (!(error instanceof MessageFault)) throw error
      this.#break(error instanceof RequestFault ? error.reason : error.kind)
    } finally {
      if (isCorked) this.socket.uncork()
    }
  }

  #break(kind: BrokenKind): void {
    this.#stop()
    this.#owner.handleBroken(kind)
  }

  /** Nothing more is looked at. It is read nonetheless: unread bytes would reset the connection under an answer. */
  #stop(): void {
    this.#parser.stop()
    this.#upgrade?.drop()
    this.#headSinceMs = Infinity
    this.#arriving?.discard()
    this.#arriving = null
    this.#isBodyWaiting = false
    this.#isClientBehind = false
    this.socket.resume()
  }

  #handleDrain(): void {
    const listener = this.#onDrain
    this.#onDrain = null
    listener?.()
    if (!this.#isClientBehind) return
    this.#isClientBehind = false
    if (!this.#isBodyWaiting) this.socket.resume()
  }

  /** The client has closed its side. One that does so within a request, or before its answer, has left. */
  #handleEnd(): void {
    if (this.#upgrade?.taker) this.#upgrade.taker.handleEnd()
    else if (this.#parser.isWithin) {
      releaseHeld(this.socket)
      this.socket.destroy()
    } else this.socket.end()
  }

  #handleClose(): void {
    const request = this.#arriving
    this.#stop()
    request?.takeClose()
  }
}
