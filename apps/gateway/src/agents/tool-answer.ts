import type { Exchange } from '../exchange/exchange.ts'
import type { ClientAnswer } from '../http/client-message.ts'
import { joinedFields } from '../http/joined-fields.ts'
import { resultBytesMax, takenBytesMax, type ToolOutcome } from './tool-result.ts'

/**
 * Takes the answer that a call of a tool gets from the stages, in place of the client, and hands it over once it is
 * whole. What is longer than a result may be ends the call.
 */
export class ToolAnswer implements ClientAnswer {
  readonly #exchange: Exchange
  readonly #done: (outcome: ToolOutcome) => void
  readonly #parts: Buffer[] = []
  #length = 0
  #headers: Record<string, string> = {}
  #max = resultBytesMax
  #isCut = false
  #isDone = false

  constructor(exchange: Exchange, done: (outcome: ToolOutcome) => void) {
    this.#exchange = exchange
    this.#done = done
  }

  writeContinue(): void {}

  writeHead(_status: number, headers: string[]): void {
    this.#headers = joinedFields(headers)
    this.#max = takenBytesMax(this.#headers['content-type'] ?? '')
  }

  /** A stream of events has no end to wait for. */
  flushHeaders(): void {
    if (/^text\/event-stream/i.test(this.#headers['content-type'] ?? '')) this.#cutOff()
  }

  write(chunk: Buffer | string): boolean {
    const part = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    const room = this.#max - this.#length
    if (room > 0) this.#parts.push(part.length > room ? part.subarray(0, room) : part)
    this.#length += part.length
    if (this.#length > this.#max) this.#cutOff()
    return true
  }

  end(chunk: Buffer | string = '', encoding: 'utf8' | 'latin1' = 'utf8'): void {
    if (this.#isDone) return
    const part = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk
    if (part.length > 0) this.write(part)
    this.#finish()
  }

  /** The answer broke off. */
  cut(): void {
    this.#finish()
  }

  /** Every part is taken at once. */
  once(): void {}

  #cutOff(): void {
    if (this.#isCut || this.#isDone) return
    this.#isCut = true
    const { call } = this.#exchange
    this.#exchange.end()
    call?.cancel()
  }

  #finish(): void {
    if (this.#isDone) return
    this.#isDone = true
    const { requestId, status, code, isSent, isMock } = this.#exchange
    this.#done({
      requestId,
      status,
      code,
      isSent,
      isMock,
      headers: this.#headers,
      body: Buffer.concat(this.#parts),
      isCut: this.#isCut,
    })
  }
}
