const ownBytes = 16 * 1024
const passedOnBytes = 64 * 1024

/**
 * The memory that a socket reads into. Small answers are taken out of the same piece again and again;
 * for large ones each read gets a piece of its own, so that it can be passed on without a copy.
 */
export class ReadBuffer {
  isPassedOn = false
  handleBytes: (bytes: Buffer, length: number) => void = () => undefined
  readonly #own = Buffer.allocUnsafeSlow(ownBytes)
  #current = this.#own

  isOwn(bytes: Buffer): boolean {
    return bytes === this.#own
  }

  /** What `net.connect` wants to be told. */
  readonly onread = {
    buffer: (): Buffer => {
      this.#current = this.isPassedOn ? Buffer.allocUnsafeSlow(passedOnBytes) : this.#own
      return this.#current
    },
    callback: (length: number): boolean => {
      this.handleBytes(this.#current, length)
      return true
    },
  }
}
