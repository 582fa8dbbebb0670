import { headBytesMax } from './head-text.ts'
import { MessageFault } from './message-fault.ts'

const cr = 0x0d
const lf = 0x0a

/**
 * Collects a head, or trailers, that come in parts, up to the empty line and 16 KiB. Bytes that can't be one are
 * refused at the first wrong byte, without waiting for the rest.
 */
export class HeadScanner {
  #text = ''
  /** Bytes of CR LF CR LF that were just seen. */
  #matched = 0

  /** `isLineBegun`: a line end has just been read, so that an empty line may follow at once. */
  start(isLineBegun: boolean): void {
    this.#text = ''
    this.#matched = isLineBegun ? 2 : 0
  }

  /** Where the head ends in `bytes`, after its empty line; -1: more is to come. Throws MessageFault. */
  scan(bytes: Buffer, start: number, end: number): number {
    let at = start
    const limit = Math.min(end, start + headBytesMax + 1 - this.#text.length)
    while (at < limit && this.#matched < 4) this.#step(bytes[at++] ?? 0)
    this.#text += bytes.toString('latin1', start, at)
    if (this.#text.length > headBytesMax) {
      throw new MessageFault('too_large', 'the header fields exceed their bound')
    }
    return this.#matched === 4 ? at : -1
  }

  /** What was collected, without the empty line. */
  take(): string {
    const text = this.#text
    this.#text = ''
    return text.length === 2 ? '' : text.slice(0, -4)
  }

  get text(): string {
    return this.#text
  }

  #step(byte: number): void {
    const isAfterCr = this.#matched === 1 || this.#matched === 3
    const isControl = (byte < 0x20 && byte !== 0x09) || byte === 0x7f
    if (isAfterCr !== (byte === lf)) throw malformed()
    if (isControl && byte !== cr && byte !== lf) throw malformed()
    if (isAfterCr || byte === cr) this.#matched++
    else this.#matched = 0
  }
}

const malformed = () => new MessageFault('malformed', 'a head holds a character it may not')
