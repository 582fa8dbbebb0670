import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { SwitchedConnection } from '../switched-connection.ts'
import { copiedBytesMax, releaseHeld, writeCopied, writeHeld } from '../write-burst.ts'
import { currentDate, fieldLine, statusLine } from './answer-fields.ts'
import { FieldBlock, noFields } from './field-block.ts'
import type { IncomingRequest } from './incoming-request.ts'

/** The connection that an answer goes out on. */
export interface AnswerSource {
  readonly socket: Socket
  /** Once: the client takes more. */
  whenDrained(listener: () => void): void
  /** All of the answer has been handed over. `isLast`: the connection ends with it. */
  handleAnswered(request: IncomingRequest, isLast: boolean): void
  /** 101 has been handed over. */
  handleSwitched(): SwitchedConnection
}

const notAscii = /[^\x00-\x7f]/

/**
 * The answer to one request. It frames the body: by the length that its head states, in chunks, or
 * for HTTP/1.0 by the end of the connection. An answer that is not as long as its head says ends
 * the connection, so that no byte of it is taken for the next answer.
 */
export class OutgoingAnswer {
  /** A part of the body that is not longer is copied before `write` or `end` returns. */
  readonly copiedBytesMax = copiedBytesMax
  readonly #source: AnswerSource
  readonly #request: IncomingRequest
  readonly #isKept: boolean
  /** Made, and not yet written. */
  #head = ''
  /** Of the body, by the head; -1: none is stated. */
  #left = -1
  #isChunked = false
  #isBodiless = false
  #isLast = false
  #isEnded = false

  /** `isKept`: the client expects to send another request on the connection. */
  constructor(source: AnswerSource, request: IncomingRequest, isKept: boolean) {
    this.#source = source
    this.#request = request
    this.#isKept = isKept
  }

  /** An interim answer: the client may send the body. HTTP/1.0 has none (RFC 9110 §15.2). */
  writeContinue(): void {
    if (this.#request.httpVersionMinor === 0) return
    this.#source.socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1')
  }

  /**
   * Another interim answer, as 103: before the head. HTTP/1.0 has none. `headers`: name, value, name, value. Throws
   * TypeError for what can't be in a head.
   */
  writeInterim(status: number, headers: readonly string[]): void {
    if (this.#request.httpVersionMinor === 0) return
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`
    for (let at = 0; at + 1 < headers.length; at += 2)
      head += fieldLine(headers[at] ?? '', headers[at + 1] ?? '')
    this.#source.socket.write(`${head}\r\n`, 'latin1')
  }

  /** `headers`: name, value, name, value. Throws TypeError for what can't be in a head. */
  writeHead(status: number, headers: readonly string[]): void {
    this.writeHeadOf(status, noFields, headers)
  }

  /** The same, with fields before them that were sent before. */
  writeHeadOf(status: number, block: FieldBlock, headers: readonly string[]): void {
    const { method, httpVersionMinor } = this.#request
    const own = new FieldBlock(headers)
    let head = statusLine(status) + block.text + own.text
    this.#isLast = !this.#isKept || block.isLast || own.isLast
    this.#left = own.length === -1 ? block.length : own.length
    if (!block.hasDate && !own.hasDate) head += currentDate()
    this.#isBodiless = method === 'HEAD' || status === 204 || status === 304
    if (this.#left === -1 && !this.#isBodiless) {
      if (httpVersionMinor === 0) this.#isLast = true
      else {
        this.#isChunked = true
        head += 'Transfer-Encoding: chunked\r\n'
      }
    }
    this.#head = `${head}Connection: ${this.#isLast ? 'close' : 'keep-alive'}\r\n\r\n`
  }

  /**
   * Answers 101: the connection speaks another protocol from now on. Only for a request that asks for it, and
   * before any other answer. `headers`: name, value, name, value. Throws TypeError for what can't be in a head.
   */
  switchProtocols(protocol: string, headers: readonly string[]): SwitchedConnection {
    let head = `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n`
    for (let at = 0; at + 1 < headers.length; at += 2)
      head += fieldLine(headers[at] ?? '', headers[at + 1] ?? '')
    this.#isEnded = true
    this.#source.socket.write(`${head}\r\n`, 'latin1')
    return this.#source.handleSwitched()
  }

  /** The head goes out now, without a part of the body. */
  flushHeaders(): void {
    const head = this.#takeHead()
    if (head !== '') this.#source.socket.write(head, 'latin1')
  }

  /** False: the client does not take it yet, and `drain` says when it does. */
  write(chunk: Buffer | string): boolean {
    const part = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    if (this.#isEnded || !this.#accepts(part.length)) return true
    return this.#send(part, '')
  }

  /** The last part, or nothing more. A string is UTF-8 unless it is said to be Latin-1, one byte a character. */
  end(chunk: Buffer | string = '', encoding: 'utf8' | 'latin1' = 'utf8'): void {
    if (this.#isEnded) return
    const isText = typeof chunk === 'string' && (encoding === 'latin1' || !notAscii.test(chunk))
    const part = typeof chunk === 'string' && !isText ? Buffer.from(chunk, encoding) : chunk
    if (this.#accepts(part.length)) this.#send(part, this.#isChunked ? '0\r\n\r\n' : '')
    this.#finish()
  }

  once(_event: 'drain', listener: () => void): void {
    this.#source.whenDrained(listener)
  }

  /** Whether a part of the body may be written. A longer body than was stated ends the connection. */
  #accepts(length: number): boolean {
    if (this.#isBodiless) {
      this.flushHeaders()
      return false
    }
    if (this.#left === -1) return true
    this.#left -= length
    if (this.#left >= 0) return true
    this.#breakOff()
    return false
  }

  /** Writes what is ready of the head, a part of the body, and what comes behind it, in one write. */
  #send(part: Buffer | string, behind: string): boolean {
    const { socket } = this.#source
    let before = this.#takeHead()
    let after = behind
    if (this.#isChunked && part.length > 0) {
      before += `${part.length.toString(16)}\r\n`
      after = `\r\n${behind}`
    }
    if (typeof part === 'string') return this.#writeText(before + part + after)
    if (part.length <= copiedBytesMax) return writeCopied(socket, before, part, after)
    socket.cork()
    if (before !== '') socket.write(before, 'latin1')
    const isTaken = socket.write(part)
    if (after !== '') socket.write(after, 'latin1')
    socket.uncork()
    return isTaken
  }

  #writeText(text: string): boolean {
    return text === '' || writeHeld(this.#source.socket, text)
  }

  #takeHead(): string {
    const head = this.#head
    this.#head = ''
    return head
  }

  #finish(): void {
    if (this.#isEnded) return
    if (!this.#isBodiless && this.#left > 0) return this.#breakOff()
    this.#isEnded = true
    this.#source.handleAnswered(this.#request, this.#isLast)
  }

  /** The client must not take what it has for a whole answer, nor what comes for the rest of it. */
  #breakOff(): void {
    this.#isEnded = true
    releaseHeld(this.#source.socket)
    this.#source.socket.destroy()
  }
}
