import { stripColours } from './ansi.ts'

const escape = 0x1b

/** Bytes by which letters A to Z are equal whatever their case; all other bytes equal themselves. */
const folded = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
)

/**
 * Finds a text in bytes, whatever the case of its letters A to Z (Horspool's algorithm: at worst a
 * comparison of the whole text per byte, usually far fewer than one).
 */
export class Needle {
  readonly #bytes: Uint8Array
  readonly #skips: Int32Array

  constructor(text: string) {
    this.#bytes = Uint8Array.from(Buffer.from(text, 'utf8'), (byte) => folded[byte] ?? byte)
    const last = this.#bytes.length - 1
    this.#skips = new Int32Array(256).fill(this.#bytes.length)
    for (let index = 0; index < last; index++) this.#skips[this.#bytes[index] ?? 0] = last - index
  }

  get length(): number {
    return this.#bytes.length
  }

  /** Where it first occurs between `from` and `to`; `to` where it does not. */
  find(bytes: Uint8Array, from: number, to: number): number {
    const needle = this.#bytes
    const skips = this.#skips
    const last = needle.length - 1
    const final = needle[last]
    let at = from + last
    while (at < to) {
      const byte = folded[bytes[at] as number] as number
      if (byte === final && this.#isAt(bytes, at - last)) return at - last
      at += skips[byte] as number
    }
    return to
  }

  #isAt(bytes: Uint8Array, at: number): boolean {
    const needle = this.#bytes
    for (let index = 0; index < needle.length; index++) {
      if (folded[bytes[at + index] as number] !== needle[index]) return false
    }
    return true
  }
}

/**
 * Finds line by line, in their order, which hold a needle. Lines with ANSI colours are looked at
 * without them, since that is how they are shown.
 */
export class LineMatcher {
  readonly #needle: Needle
  readonly #bytes: Buffer
  #hitAt: number
  #escapeAt: number

  constructor(needle: Needle, bytes: Buffer) {
    this.#needle = needle
    this.#bytes = bytes
    this.#hitAt = needle.find(bytes, 0, bytes.length)
    this.#escapeAt = this.#nextEscape(0)
  }

  holds(from: number, to: number): boolean {
    const bytes = this.#bytes
    if (this.#escapeAt < from) this.#escapeAt = this.#nextEscape(from)
    if (this.#escapeAt < to) {
      const shown = stripColours(bytes.subarray(from, to))
      return this.#needle.find(shown, 0, shown.length) < shown.length
    }
    if (this.#hitAt < from) this.#hitAt = this.#needle.find(bytes, from, bytes.length)
    return this.#hitAt + this.#needle.length <= to
  }

  #nextEscape(from: number): number {
    const found = this.#bytes.indexOf(escape, from)
    return found < 0 ? this.#bytes.length : found
  }
}
