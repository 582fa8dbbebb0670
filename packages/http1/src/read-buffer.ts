const passedOnBytes = 64 * 1024
/** A read that fills less is copied: a byte that waits for a slow client must not hold on to 64 KiB. */
const worthwhileBytes = passedOnBytes / 2

/** What is read is dealt with before the next read of any socket: all share one piece. */
const shared = Buffer.allocUnsafeSlow(16 * 1024)

/**
 * The memory that a socket reads into. Small messages are taken out of the same piece again and again;
 * for large ones each full read gets another piece, so that it can be passed on without a copy.
 */
export class ReadBuffer {
  isPassedOn = false
  handleBytes: (bytes: Buffer, length: number) => void = () => undefined
  #current = shared
  #length = 0

  /** The memory is read into again: what is kept of it must be copied. */
  isLent(bytes: Buffer): boolean {
    return bytes === shared || (bytes === this.#current && this.#length < worthwhileBytes)
  }

  /** The `onread` option of `net.connect`. */
  readonly onread = {
    buffer: (): Buffer => {
      const isGivenAway = this.#current === shared || this.#length >= worthwhileBytes
      if (!this.isPassedOn) this.#current = shared
      else if (isGivenAway) this.#current = Buffer.allocUnsafeSlow(passedOnBytes)
      return this.#current
    },
    callback: (length: number): boolean => {
      this.#length = length
      this.handleBytes(this.#current, length)
      return true
    },
  }
}
