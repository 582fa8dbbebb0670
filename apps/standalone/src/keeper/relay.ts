import type { Duplex } from 'node:stream'

/** Ends a line that was cut off, and then says that its sender has ended: a message is a line, and never blank. */
const gap = '\n\n'

/**
 * Passes bytes between the two parts, whichever of their processes run, and reads none of them. What is sent to a
 * part that does not run is dropped; a part whose other part has ended gets a blank line.
 */
export class Relay {
  readonly #streams: [Duplex | undefined, Duplex | undefined] = [undefined, undefined]

  /** `side`: which of the two. The stream of its earlier process is over. */
  join(side: 0 | 1, stream: Duplex): void {
    const otherSide = side === 0 ? 1 : 0
    const other = this.#streams[otherSide]
    this.#streams[side] = stream
    // Without an end of the other side, what arrives is dropped.
    stream.resume()
    // That its process has ended is known from `close`.
    stream.on('error', () => {})
    if (other) {
      other.pipe(stream, { end: false })
      stream.pipe(other, { end: false })
    }
    stream.once('close', () => {
      if (this.#streams[side] === stream) this.#streams[side] = undefined
      const left = this.#streams[otherSide]
      if (!left) return
      left.unpipe(stream)
      stream.unpipe(left)
      left.resume()
      left.write(gap)
    })
  }
}
