import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { readAnswer } from './read-answer.ts'
import type { RawAnswer } from './read-answer.ts'

export type { RawAnswer } from './read-answer.ts'

/** A client on a bare socket, which may send anything. Closed when the test is over. */
export class RawClient {
  readonly socket: Socket
  #received = ''
  #isEnded = false
  readonly #waiters: (() => void)[] = []

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.socket.setEncoding('latin1')
    this.socket.on('data', (text: string) => {
      this.#received += text
      this.#wake()
    })
    // A reset is one of the ways in which a connection may end.
    this.socket.on('error', () => undefined)
    this.socket.on('close', () => {
      this.#isEnded = true
      this.#wake()
    })
    onTestFinished(() => {
      this.socket.destroy()
    })
  }

  send(text: string): void {
    this.socket.write(text, 'latin1')
  }

  /** The next final answer; interim ones are passed over. Undefined: the connection ended first. */
  async answer(): Promise<RawAnswer | undefined> {
    for (;;) {
      const read = readAnswer(this.#received, this.#isEnded)
      if (read) {
        this.#received = this.#received.slice(read.length)
        if (read.answer.status >= 200) return read.answer
        continue
      }
      if (this.#isEnded) return undefined
      await new Promise<void>((resolve) => this.#waiters.push(resolve))
    }
  }

  /** Everything that came and was not taken by `answer`, once the connection has ended. */
  async rest(): Promise<string> {
    while (!this.#isEnded) await new Promise<void>((resolve) => this.#waiters.push(resolve))
    return this.#received
  }

  #wake(): void {
    this.#waiters.splice(0).forEach((wake) => wake())
  }
}
