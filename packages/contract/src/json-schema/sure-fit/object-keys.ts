import { addToHash, byteAt } from './written-json.ts'

const quote = 0x22
const backslash = 0x5c

/** Keys of one object: each is compared with those before it. */
export const keysMax = 64

/** The keys of the objects around a place, by their hashes. */
export class ObjectKeys {
  /** Of the key that was read last. */
  hash = 0
  /** `keysMax` for each level. */
  readonly #hashes: Int32Array

  constructor(depthMax: number) {
    this.#hashes = new Int32Array(keysMax * depthMax)
  }

  /** The place of the quote that ends a key, or -1 where there is none or it has a backslash. */
  read(bytes: Uint8Array, from: number): number {
    if (byteAt(bytes, from) !== quote) return -1
    const { length } = bytes
    let hash = 0
    for (let at = from + 1; at < length; at++) {
      const byte = bytes[at] as number
      if (byte === quote) {
        this.hash = hash
        return at
      }
      if (byte < 0x20 || byte === backslash) return -1
      hash = addToHash(hash, byte)
    }
    return -1
  }

  note(depth: number, place: number, hash: number): void {
    this.#hashes[depth * keysMax + place] = hash
  }

  /** Notes the key that was read last. Two keys of one hash are not looked at more closely. */
  isNew(depth: number, place: number): boolean {
    const { hash } = this
    const hashes = this.#hashes
    const first = depth * keysMax
    const end = first + place
    for (let at = first; at < end; at++) if (hashes[at] === hash) return false
    hashes[end] = hash
    return true
  }
}
