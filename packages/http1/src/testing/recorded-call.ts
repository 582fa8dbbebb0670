import type { UpstreamFailure } from '@gatehouse/upstream/http'
import type { Readable } from 'node:stream'
import type { AnswerHead } from '../answer-head.ts'
import type { CallConnection, OutgoingCall } from '../outgoing-call.ts'

/** A call that writes down what becomes of it. */
export class RecordedCall implements OutgoingCall {
  method = 'GET'
  path = '/a'
  isRepeatable = true
  fields: string[] = []
  body: Buffer | Readable | null = null
  bodyLength = -1
  timeoutMs = 0
  switching = null
  isWanted = true
  /** Pauses with the first part of the body. */
  isPausing = false
  isStarted = false
  status = 0
  text = ''
  failure: UpstreamFailure | null = null
  readonly #started = Promise.withResolvers<void>()
  readonly #begun = Promise.withResolvers<void>()
  readonly #ended = Promise.withResolvers<void>()
  #connection: CallConnection | null = null

  get started(): Promise<void> {
    return this.#started.promise
  }

  /** The first part of the body is here. */
  get begun(): Promise<void> {
    return this.#begun.promise
  }

  get ended(): Promise<{ body: string; failure: UpstreamFailure | null }> {
    return this.#ended.promise.then(() => ({ body: this.text, failure: this.failure }))
  }

  resume(): void {
    this.#connection?.resume(this)
  }

  handleStart(connection: CallConnection): boolean {
    if (!this.isWanted) return false
    this.#connection = connection
    this.isStarted = true
    this.#started.resolve()
    return true
  }

  handleHead({ status }: AnswerHead): void {
    this.status = status
  }

  handleData(bytes: Buffer, start: number, end: number): void {
    this.text += bytes.toString('latin1', start, end)
    if (this.isPausing) this.#connection?.pause(this)
    this.#begun.resolve()
  }

  handleEnd(): void {
    this.#ended.resolve()
  }

  handleFailure(failure: UpstreamFailure): void {
    this.failure = failure
    this.#ended.resolve()
  }

  handleFault(error: unknown): void {
    this.#ended.reject(error)
  }
}
