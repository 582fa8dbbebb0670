import { HeadScanner } from './head-scanner.ts'
import { checkTrailers, isTokenByte } from './head-text.ts'
import { MessageFault } from './message-fault.ts'

/** Takes the bytes of a body. They may be overwritten afterwards. */
export interface BodySink {
  takeBody(bytes: Buffer, start: number, end: number): void
}

const sizeDigitsMax = 13
/** All extensions of one body together. */
const extensionBytesMax = 16 * 1024

/** Of what the next byte is a part; the data itself and trailers are not taken byte by byte. */
type ExtensionState = 'extension-name' | 'extension-value' | 'quoted' | 'escaped' | 'quoted-end'
type LineState = 'size' | ExtensionState | 'size-end' | 'data-cr' | 'data-lf'
type State = LineState | 'data' | 'trailers'

const cr = 0x0d
const lf = 0x0a
const semicolon = 0x3b
const equals = 0x3d
const quote = 0x22
const backslash = 0x5c

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
  /** The name or value of an extension has begun. */
  #hasToken = false

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
      case 'extension-name':
      case 'extension-value':
      case 'quoted':
      case 'escaped':
      case 'quoted-end':
        if (++this.#extensionBytes > extensionBytesMax) throw malformed('a chunk extension')
        this.#state = afterExtension(state, byte, this.#hasToken)
        this.#hasToken = this.#state === state
        return
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
    else if (byte === semicolon) {
      this.#state = 'extension-name'
      this.#hasToken = false
    } else throw malformed('a chunk size')
  }

  #begin(): void {
    this.#state = this.#left === 0 ? 'trailers' : 'data'
    if (this.#left === 0) this.#trailers.start(true)
  }
}

/** Of `;name=value;name="value"`: what the next byte is a part of (RFC 9112 §7.1.1, without its optional blanks). */
function afterExtension(state: ExtensionState, byte: number, hasToken: boolean): LineState {
  switch (state) {
    case 'quoted':
      if (byte === quote) return 'quoted-end'
      if (byte === backslash) return 'escaped'
      if (isText(byte)) return 'quoted'
      throw malformed('a chunk extension')
    case 'escaped':
      if (isText(byte)) return 'quoted'
      throw malformed('a chunk extension')
    case 'extension-value':
      if (byte === quote && !hasToken) return 'quoted'
      if (isTokenByte(byte)) return state
      break
    case 'extension-name':
      if (isTokenByte(byte)) return state
      if (byte === equals && hasToken) return 'extension-value'
      break
    case 'quoted-end':
  }
  const isEnd = hasToken || state === 'quoted-end'
  if (isEnd && byte === cr) return 'size-end'
  if (isEnd && byte === semicolon) return 'extension-name'
  throw malformed('a chunk extension')
}

const isText = (byte: number): boolean => (byte >= 0x20 && byte !== 0x7f) || byte === 0x09

const malformed = (what: string) => new MessageFault('malformed', `${what} is malformed`)

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}
