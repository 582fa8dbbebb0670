interface RecordingOptions {
  maxBytes: number
  reserve(bytes: number): boolean
  release(bytes: number): void
  keep(body: Buffer): void
}

/** One answer that is being taken down. Ends with `finish` or `abandon`, whichever comes first. */
export class AnswerRecording {
  readonly #options: RecordingOptions
  #chunks: Buffer[] = []
  #bytes = 0
  #isOver = false

  constructor(options: RecordingOptions) {
    this.#options = options
  }

  append(chunk: Buffer): void {
    if (this.#isOver) return
    const isFitting = this.#bytes + chunk.length <= this.#options.maxBytes
    if (!isFitting || !this.#options.reserve(chunk.length)) return this.abandon()
    this.#bytes += chunk.length
    this.#chunks.push(chunk)
  }

  /** The answer has ended as it should. */
  finish(): void {
    if (this.#isOver) return
    // A copy: a slice would keep the whole buffer of the socket alive.
    const body = Buffer.allocUnsafeSlow(this.#bytes)
    let at = 0
    for (const chunk of this.#chunks) at += chunk.copy(body, at)
    this.abandon()
    this.#options.keep(body)
  }

  abandon(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#chunks = []
    this.#options.release(this.#bytes)
  }
}
