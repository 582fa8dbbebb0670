import type { RequestHead } from './request-head.ts'

/** What a request may do to the connection that its body comes over. */
export interface RequestSource {
  /** No more is read until `resumeReading`. */
  pauseReading(): void
  resumeReading(): void
}

type Listeners<Listener> = readonly Listener[]
type DataListener = (chunk: Buffer) => void
type SignalListener = () => void

/** Bytes of a body that wait for a reader before the connection is read no further. */
const backlogBytesMax = 64 * 1024

const none: Listeners<never> = []

/**
 * One request of a client. Its body flows as that of Node's `IncomingMessage` does: from the moment
 * that someone listens for `data`, never within the call of `on` or `resume`, and not while it is paused.
 */
export class IncomingRequest {
  readonly method: string
  readonly url: string
  /** Name, value, name, value, as they came. */
  readonly rawHeaders: readonly string[]
  readonly httpVersionMajor: number = 1
  readonly httpVersionMinor: number
  /** All of it has arrived. Some of it may still wait for its reader. */
  complete: boolean
  /** Null until someone reads the body or pauses it. */
  readableFlowing: boolean | null = null
  readonly #source: RequestSource
  #onData: Listeners<DataListener> = none
  #onEnd: Listeners<SignalListener> = none
  #onClose: Listeners<SignalListener> = none
  #backlog: Buffer[] = []
  #backlogBytes = 0
  #isFlowPlanned = false
  #isEndTold = false
  #isUnwanted = false

  constructor(head: RequestHead, hasBody: boolean, source: RequestSource) {
    this.method = head.method
    this.url = head.target
    this.rawHeaders = head.fields
    this.httpVersionMinor = head.minor
    this.complete = !hasBody
    this.#source = source
  }

  get httpVersion(): string {
    return this.httpVersionMinor === 1 ? '1.1' : '1.0'
  }

  on(event: 'data', listener: DataListener): this
  on(event: 'end' | 'close', listener: SignalListener): this
  on(event: 'data' | 'end' | 'close', listener: DataListener & SignalListener): this {
    if (event === 'data') {
      this.#onData = [...this.#onData, listener]
      if (this.readableFlowing !== false) this.resume()
    } else if (event === 'end') this.#onEnd = [...this.#onEnd, listener]
    else this.#onClose = [...this.#onClose, listener]
    return this
  }

  off(event: 'data', listener: DataListener): this
  off(event: 'end' | 'close', listener: SignalListener): this
  off(event: 'data' | 'end' | 'close', listener: DataListener & SignalListener): this {
    const isOther = (each: unknown): boolean => each !== listener
    if (event === 'data') this.#onData = this.#onData.filter(isOther)
    else if (event === 'end') this.#onEnd = this.#onEnd.filter(isOther)
    else this.#onClose = this.#onClose.filter(isOther)
    return this
  }

  pause(): void {
    this.readableFlowing = false
  }

  resume(): void {
    this.readableFlowing = true
    if (this.#isFlowPlanned || this.#isEndTold) return
    if (this.#backlogBytes === 0 && !this.complete) return
    this.#isFlowPlanned = true
    process.nextTick(() => {
      this.#isFlowPlanned = false
      this.#flow()
    })
  }

  /** A part of the body has come. It is kept until someone reads it. */
  takeBody(chunk: Buffer): void {
    if (this.#isUnwanted) return
    if (this.readableFlowing === true && this.#backlogBytes === 0) {
      for (const listener of this.#onData) listener(chunk)
      return
    }
    this.#backlog.push(chunk)
    this.#backlogBytes += chunk.length
    if (this.#backlogBytes > backlogBytesMax) this.#source.pauseReading()
  }

  /** The last of the body has come. */
  takeEnd(): void {
    this.complete = true
    if (this.readableFlowing === true && this.#backlogBytes === 0) this.#tellEnd()
  }

  /** The request has been answered: what still comes of its body is thrown away. */
  discard(): void {
    this.#isUnwanted = true
    this.readableFlowing = true
    this.#drop()
  }

  /** The connection is gone. */
  takeClose(): void {
    this.#isUnwanted = true
    this.#drop()
    for (const listener of this.#onClose) listener()
  }

  #flow(): void {
    const parts = this.#backlog
    for (let at = 0; at < parts.length; at++) {
      if (this.readableFlowing !== true) {
        this.#backlog = parts.slice(at)
        return
      }
      const part = parts[at]
      if (part === undefined) continue
      this.#backlogBytes -= part.length
      for (const listener of this.#onData) listener(part)
    }
    this.#drop()
    if (this.complete && this.readableFlowing === true) this.#tellEnd()
  }

  #drop(): void {
    this.#backlog = []
    this.#backlogBytes = 0
    this.#source.resumeReading()
  }

  #tellEnd(): void {
    if (this.#isEndTold || this.#isUnwanted) return
    this.#isEndTold = true
    for (const listener of this.#onEnd) listener()
  }
}
