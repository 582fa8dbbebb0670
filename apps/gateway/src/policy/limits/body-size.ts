/** True where the length that a request announces is over the bound; -1: it announces none. */
export function announcesTooMuch(contentLength: number, maxBytes: number): boolean {
  return contentLength > maxBytes
}

/** Counts a body while it streams: what was announced, or not at all, may not be what comes. */
export class BodyMeter {
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** False from the chunk on that goes over the bound; that one must not be passed on. */
  accepts(chunkBytes: number): boolean {
    this.#bytes += chunkBytes
    return this.#bytes <= this.#maxBytes
  }
}
