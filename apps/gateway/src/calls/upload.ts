import { Readable } from 'node:stream'
import type { Exchange } from '../exchange/exchange.ts'

/** Bodies up to this size are collected before the upstream is called: cheaper, and one write. */
export const collectedBytesMax = 16 * 1024

/**
 * A request's body on its way to the upstream, with back-pressure. The request itself is not handed
 * over: destroying it would destroy the client's connection and the answer too.
 */
export class Upload extends Readable {
  readonly #exchange: Exchange
  #begun: (() => void) | null = null

  constructor(exchange: Exchange) {
    super({ highWaterMark: 64 * 1024 })
    this.#exchange = exchange
    const { req } = exchange
    req.on('data', this.#handleData)
    req.on('end', this.#handleEnd)
    req.pause()
  }

  /**
   * Calls back once the body has begun, and all that came with its beginning was a body: not where its first chunk is
   * none, nor where the client leaves before it.
   */
  whenBegun(begun: () => void): void {
    this.#begun = begun
    this.read(0)
  }

  override _read(): void {
    this.#exchange.req.resume()
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    const { req } = this.#exchange
    req.off('data', this.#handleData)
    req.off('end', this.#handleEnd)
    // An answer that came early: what is left of the body is dealt with where the answer ends.
    if (!req.complete) req.pause()
    callback(error)
  }

  readonly #handleData = (chunk: Buffer): void => {
    this.#exchange.bytesIn += chunk.length
    this.#begin()
    if (!this.push(chunk)) this.#exchange.req.pause()
  }

  readonly #handleEnd = (): void => {
    this.#begin()
    this.push(null)
  }

  /** What is behind the chunk in the same read has been looked at by the next tick. */
  #begin(): void {
    const begun = this.#begun
    this.#begun = null
    if (begun === null) return
    process.nextTick(() => {
      try {
        begun()
      } catch (error) {
        this.#exchange.handleFault(error)
      }
    })
  }
}

/** The client may wait for a word before it sends the body (RFC 9110 §10.1.1). */
export function askForBody(exchange: Exchange): void {
  if (exchange.expectation !== 'continue') return
  exchange.res.writeContinue()
  exchange.expectation = 'none'
}

/**
 * Collects a body and hands it over whole. It never calls back where the client leaves before the end.
 * A body of more than `maxBytes` is refused.
 */
export function collectBody(
  exchange: Exchange,
  done: (body: Buffer) => void,
  maxBytes = Infinity,
): void {
  askForBody(exchange)
  const parts: Buffer[] = []
  const { req } = exchange
  req.on('data', (chunk: Buffer) => {
    exchange.bytesIn += chunk.length
    if (exchange.bytesIn <= maxBytes) parts.push(chunk)
    else exchange.refuse('client.too_large')
  })
  req.on('end', () => {
    if (exchange.isEnded) return
    const [only] = parts
    done(parts.length === 1 && only !== undefined ? only : Buffer.concat(parts))
  })
}
