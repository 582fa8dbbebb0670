/**
 * Collects a body up to a bound. Chunks are copied into one buffer that grows by doubling: kept one
 * by one, a 16 MiB body sent as single bytes would cost more than a gigabyte of buffer objects.
 */
export class BoundedBody {
  readonly #maxBytes: number
  #buffer = Buffer.alloc(0)
  #lengthBytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get lengthBytes(): number {
    return this.#lengthBytes
  }

  /** False when the chunk would pass the bound; nothing of it is kept then. */
  append(chunk: Uint8Array): boolean {
    const neededBytes = this.#lengthBytes + chunk.byteLength
    if (neededBytes > this.#maxBytes) return false
    if (neededBytes > this.#buffer.byteLength) this.#grow(neededBytes)
    this.#buffer.set(chunk, this.#lengthBytes)
    this.#lengthBytes = neededBytes
    return true
  }

  /** The body so far; hands the memory over, so append nothing after it. */
  take(): Buffer {
    return this.#buffer.subarray(0, this.#lengthBytes)
  }

  #grow(neededBytes: number) {
    const doubledBytes = Math.max(neededBytes, this.#buffer.byteLength * 2, 1024)
    const larger = Buffer.allocUnsafeSlow(Math.min(doubledBytes, this.#maxBytes))
    larger.set(this.#buffer.subarray(0, this.#lengthBytes))
    this.#buffer = larger
  }
}
