import { classifyExchangeError, UpstreamFailure } from '@gatehouse/upstream/http'
import type { Socket } from 'node:net'
import type { AnswerHead } from './answer-head.ts'
import { isLastAnswer, keptForMs } from './keep-alive.ts'
import type { KnownAnswers } from './known-answers.ts'
import { reportEnd, reportFailure } from './outgoing-call.ts'
import type { CallConnection, OutgoingCall } from './outgoing-call.ts'
import type { ReadBuffer } from './read-buffer.ts'
import { leavesConnectionUsable, mayBeSentAgain } from './request-head.ts'
import { ResponseParser } from './response-parser.ts'
import type { AnswerSink } from './response-parser.ts'
import type { SwitchedTaker } from './switched-connection.ts'
import { UploadWriter } from './upload-writer.ts'
import type { UploadWatcher } from './upload-writer.ts'
import { copiedBytesMax, writeCopied, writeHeld } from './write-burst.ts'

/** Where connections come from and go back to. */
export interface ConnectionHome {
  readonly answers: KnownAnswers
  /** It can serve another call. */
  handleIdle(connection: UpstreamConnection): void
  /** It has ended, or is about to. */
  handleGone(connection: UpstreamConnection): void
  /** The call is to be sent again, on a new connection. */
  handleStale(call: OutgoingCall): void
}

/** Answers beyond this are read into memory that is passed on instead of copied. */
const smallBytes = 64 * 1024

/**
 * One connection to an upstream and the call that is under way on it; never more than one. It is
 * used again only after an answer whose end is certain, and dropped at any byte that no request asked for.
 */
export class UpstreamConnection implements AnswerSink, CallConnection, UploadWatcher {
  /** When the sweeper ends the call, or the idle connection; `performance.now()`. */
  deadlineMs = Infinity
  readonly #home: ConnectionHome
  readonly #socket: Socket
  readonly #reading: ReadBuffer
  readonly #parser: ResponseParser
  #call: OutgoingCall | null = null
  #upload: UploadWriter | null = null
  #hasHead = false
  /** It has served a call before: the upstream may close it just as the next one leaves. */
  #isReused = false
  /** Something has come in answer to this call. */
  #hasBytes = false
  #isPaused = false
  #mayBeKept = false
  #keepAlive: string | null = null
  #isGone = false
  /** It speaks another protocol, and has left the pool. */
  #taker: SwitchedTaker | null = null

  /** `socket` is connected, and reads by way of `reading` if it is not secure. */
  constructor(home: ConnectionHome, socket: Socket, reading: ReadBuffer) {
    this.#home = home
    this.#socket = socket
    this.#reading = reading
    this.#parser = new ResponseParser(this, home.answers)
    reading.handleBytes = (bytes, length) => this.#handleBytes(bytes, length)
    socket.on('error', (error) => this.#fail(classifyExchangeError(error, this.#hasHead)))
    socket.on('end', () => this.#handleEnd())
    socket.on('close', () => this.#fail(brokenOff()))
  }

  get isUsable(): boolean {
    return !this.#isGone && !this.#socket.destroyed
  }

  /** Sends a request. `head` is that of the call. */
  start(call: OutgoingCall, head: string): void {
    if (!call.handleStart(this)) {
      this.#home.handleIdle(this)
      return
    }
    this.#call = call
    this.#hasHead = false
    this.#hasBytes = false
    this.#mayBeKept = leavesConnectionUsable(call)
    this.#parser.start(call.method, call.switching !== null)
    this.#awaitUpstream()
    this.#send(head, call)
  }

  #send(head: string, { body, bodyLength }: OutgoingCall): void {
    const socket = this.#socket
    if (body === null) writeHeld(socket, head)
    else if (!Buffer.isBuffer(body)) {
      // The client may be slow. Only the time in which the upstream takes no byte is bounded.
      this.deadlineMs = Infinity
      socket.write(head, 'latin1')
      this.#upload = new UploadWriter(socket, body, bodyLength, this)
    } else if (body.length <= copiedBytesMax) writeCopied(socket, head, body, '')
    else {
      socket.cork()
      socket.write(head, 'latin1')
      socket.write(body)
      socket.uncork()
    }
  }

  pause(call: OutgoingCall): void {
    if (this.#call !== call || this.#isPaused) return
    this.#isPaused = true
    this.deadlineMs = Infinity
    this.#socket.pause()
  }

  resume(call: OutgoingCall): void {
    if (this.#call === call) this.#resume()
  }

  #resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#awaitUpstream()
    this.#socket.resume()
  }

  abort(call: OutgoingCall, failure: UpstreamFailure): void {
    if (this.#call === call) this.#fail(failure)
  }

  /** Ends the connection, and with it the call that is under way. */
  destroy(failure: UpstreamFailure): void {
    this.#fail(failure)
  }

  /** The deadline has passed. */
  expire(): void {
    const what = this.#hasHead
      ? 'the body of the answer came to a halt'
      : 'no head of an answer within the answer time-out'
    this.#fail(new UpstreamFailure('timeout', what))
  }

  /** It is idle. Sets the deadline after which it is given up. */
  keepIdle(nowMs: number): void {
    this.#isReused = true
    this.deadlineMs = nowMs + keptForMs(this.#keepAlive)
  }

  async closed(): Promise<void> {
    if (this.#socket.closed) return
    await new Promise<void>((resolve) => this.#socket.once('close', () => resolve()))
  }

  takeInterim(head: AnswerHead): void {
    this.#call?.handleInterim?.(head)
  }

  takeHead(head: AnswerHead): void {
    this.#hasHead = true
    this.#keepAlive = head.keepAlive
    if (isLastAnswer(head)) this.#mayBeKept = false
    this.#reading.isPassedOn = head.length > smallBytes || head.length === -1
    this.#call?.handleHead(head)
  }

  takeBody(bytes: Buffer, start: number, end: number): void {
    this.#call?.handleData(bytes, start, end, this.#reading.isLent(bytes))
  }

  takeEnd(isClean: boolean): void {
    const call = this.#call
    this.#call = null
    this.#reading.isPassedOn = false
    // An answer that came before the body had left: the upstream may still wait for the rest.
    const isSent = this.#upload === null || this.#upload.isEnded
    if (isClean && isSent && this.#mayBeKept) {
      this.#upload = null
      this.#resume()
      this.#home.handleIdle(this)
    } else this.#close()
    if (call !== null) reportEnd(call)
  }

  takeSwitch(head: AnswerHead): void {
    const call = this.#call
    this.#hasHead = true
    call?.switching?.handleSwitched(head, {
      socket: this.#socket,
      start: (taker) => {
        this.#taker = taker
        this.#call = null
        this.deadlineMs = Infinity
        this.#home.handleGone(this)
      },
    })
  }

  takeBehindSwitch(bytes: Buffer, start: number, end: number): void {
    this.#taker?.handleBytes(bytes.subarray(start, end), this.#reading.isLent(bytes))
  }

  handleUploadStalled(isStalled: boolean): void {
    if (this.#hasHead) return
    if (isStalled) this.#awaitUpstream()
    else this.deadlineMs = Infinity
  }

  handleUploadEnd(): void {
    if (!this.#hasHead) this.#awaitUpstream()
  }

  handleUploadFailure(failure: UpstreamFailure): void {
    this.#fail(failure)
  }

  #handleBytes(bytes: Buffer, length: number): void {
    const call = this.#call
    if (call === null && this.#taker === null) return this.#close()
    this.#hasBytes = true
    try {
      this.#parser.feed(bytes, 0, length)
      // A head has to be whole in time, however it drips.
      if (call !== null && this.#call === call && this.#hasHead && !this.#isPaused)
        this.#awaitUpstream()
    } catch (error) {
      this.#handleThrown(error)
    }
  }

  #handleEnd(): void {
    if (this.#taker !== null) return this.#taker.handleEnd()
    if (this.#call === null) return this.#close()
    try {
      this.#parser.finish()
    } catch (error) {
      this.#handleThrown(error)
    }
  }

  #handleThrown(error: unknown): void {
    if (error instanceof UpstreamFailure) return this.#fail(error)
    const call = this.#call
    this.#call = null
    this.#close()
    if (call === null) throw error
    call.handleFault(error)
  }

  #awaitUpstream(): void {
    const timeoutMs = this.#call?.timeoutMs ?? 0
    this.deadlineMs = timeoutMs === 0 ? Infinity : performance.now() + timeoutMs
  }

  #fail(failure: UpstreamFailure): void {
    const call = this.#call
    this.#call = null
    this.#close()
    if (call === null) return
    // RFC 9110 §9.2.2: it closed the idle connection while the request was on its way.
    const isStale = this.#isReused && !this.#hasBytes && failure.failure === 'cut'
    if (isStale && mayBeSentAgain(call)) this.#home.handleStale(call)
    else reportFailure(call, failure)
  }

  #close(): void {
    if (this.#isGone) return
    this.#isGone = true
    this.deadlineMs = Infinity
    this.#parser.stop()
    this.#upload?.stop()
    this.#socket.destroy()
    this.#home.handleGone(this)
  }
}

const brokenOff = () => new UpstreamFailure('cut', 'the connection ended before the answer did')
