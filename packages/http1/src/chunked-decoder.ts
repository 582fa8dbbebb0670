import { HeadScanner } from './head-scanner.ts'
import { checkTrailers } from './head-text.ts'
import { MessageFault } from './message-fault.ts'

/** Takes the bytes of a body. They may be overwritten afterwards. */
export interface BodySink {
  takeBody(bytes: Buffer, start: number, end: number): void
}

const sizeDigitsMax = 13
/** All extensions of one body together. */
const extensionBytesMax = 16 * 1024

/** Of what the next byte is a part; the data itself and trailers are not taken byte by byte. */
type LineState = 'size' | 'extension' | 'size-end' | 'data-cr' | 'data-lf'
type State = LineState | 'data' | 'trailers'

const cr = 0x0d
const lf = 0x0a

/**
 * Takes a body apart that came in chunks (RFC 9112 §7.1). Extensions and trailers are read within
 * bounds and dropped; every line ends in CR LF, and nothing is repaired.
 */
export class ChunkedDecoder {
  readonly #trailers = new HeadScanner()
  #state: State = 'size'
  #digits = 0
  #left = 0
  #extensionBytes = 0

  start(): void {
    this.#state = 'size'
    this.#digits = 0
    this.#left = 0
    this.#extensionBytes = 0
  }

  /** Where the body ends in `bytes`; -1: more is to come. Throws MessageFault. */
  decode(bytes: Buffer, start: number, end: number, sink: BodySink): number {
    let at = start
    while (at < end) {
      if (this.#state === 'data') {
        const to = Math.min(end, at + this.#left)
        this.#left -= to - at
        if (this.#left === 0) this.#state = 'data-cr'
        sink.takeBody(bytes, at, to)
        at = to
      } else if (this.#state === 'trailers') {
        const ended = this.#trailers.scan(bytes, at, end)
        if (ended === -1) return -1
        checkTrailers(this.#trailers.take())
        return ended
      } else this.#step(this.#state, bytes[at++] ?? 0)
    }
    return -1
  }

  #step(state: LineState, byte: number): void {
    switch (state) {
      case 'size':
        return this.#takeSize(byte)
      case 'extension':
        return this.#takeExtension(byte)
      case 'size-end':
        if (byte !== lf) throw malformed('a chunk size')
        return this.#begin()
      case 'data-cr':
        if (byte !== cr) throw malformed('the end of a chunk')
        this.#state = 'data-lf'
        return
      case 'data-lf':
        if (byte !== lf) throw malformed('the end of a chunk')
        this.#state = 'size'
        this.#digits = 0
    }
  }

  #takeSize(byte: number): void {
    const digit = hexDigit(byte)
    if (digit !== -1) {
      if (++this.#digits > sizeDigitsMax) throw malformed('a chunk size')
      this.#left = this.#left * 16 + digit
      return
    }
    if (this.#digits === 0) throw malformed('a chunk size')
    if (byte === cr) this.#state = 'size-end'
    else if (byte === 0x3b) this.#state = 'extension'
    else throw malformed('a chunk size')
  }

  #takeExtension(byte: number): void {
    if (byte === cr) this.#state = 'size-end'
    else if ((byte < 0x20 && byte !== 0x09) || byte === 0x7f) throw malformed('a chunk extension')
    if (++this.#extensionBytes > extensionBytesMax) throw malformed('a chunk extension')
  }

  #begin(): void {
    this.#state = this.#left === 0 ? 'trailers' : 'data'
    if (this.#left === 0) this.#trailers.start(true)
  }
}

const malformed = (what: string) => new MessageFault('malformed', `${what} is malformed`)

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}
