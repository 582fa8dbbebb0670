import type { WorkMeter } from '../work-meter.ts'
import type { SureSchema } from './compile-sure-schema.ts'
import { keysMax, ObjectKeys } from './object-keys.ts'
import { isWithin, kinds, type SureField, type SurePart } from './sure-part.ts'
import { afterEscape, afterSpace, afterWord, byteAt } from './written-json.ts'
import { countCharacters, hashOf, isAt } from './written-json.ts'
import { afterNumber } from './written-number.ts'

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openList = 0x5b
const backslash = 0x5c
const endList = 0x5d
const openObject = 0x7b
const endObject = 0x7d

const none: Uint8Array = new Uint8Array()
const encoder = new TextEncoder()
const [wordNull, wordTrue, wordFalse] = [
  encoder.encode('null'),
  encoder.encode('true'),
  encoder.encode('false'),
]

export interface SureReading {
  /** Objects and lists inside one another. */
  depthMax: number
  /** The text of a part of bytes that are UTF-8. */
  textOf: (bytes: Uint8Array, from: number, end: number) => string
}

/**
 * Tells whether bytes are JSON that fits and that every reader reads alike: in one pass, without making its values.
 * It knows how most JSON is written and is unsure of the rest: a number with an exponent, a key with a backslash,
 * more than 64 keys in an object, a text with a backslash where the schema says what texts may be.
 */
export class SureFit {
  readonly #meter: WorkMeter
  readonly #reading: SureReading
  readonly #keys: ObjectKeys
  #bytes = none

  constructor(meter: WorkMeter, reading: SureReading) {
    this.#meter = meter
    this.#reading = reading
    this.#keys = new ObjectKeys(reading.depthMax)
  }

  /** Whether these bytes of UTF-8 fit for sure; false says nothing. Throws `TooMuchWork`. */
  isSure({ root, looks }: SureSchema, bytes: Uint8Array): boolean {
    this.#bytes = bytes
    try {
      // All texts together are no longer, and each is measured by each part that looks at it.
      this.#meter.spend(bytes.length * looks)
      const after = this.#value(root, afterSpace(bytes, 0), 0)
      return after !== -1 && afterSpace(bytes, after) === bytes.length
    } finally {
      this.#bytes = none
    }
  }

  // Each of these reads what is at a place, and says where it ends, or -1 where it is unsure.

  #value(given: SurePart, at: number, depth: number): number {
    let part = given
    this.#meter.spend(part.cost)
    while (part.target !== null) {
      part = part.target
      this.#meter.spend(part.cost)
    }
    switch (byteAt(this.#bytes, at)) {
      case quote:
        return part.kinds & kinds.string ? this.#text(part, at + 1) : -1
      case openObject:
        return part.kinds & kinds.object ? this.#object(part, at + 1, depth) : -1
      case openList:
        return part.kinds & kinds.array ? this.#list(part, at + 1, depth) : -1
      case 0x6e: // n
        return part.kinds & kinds.null ? afterWord(this.#bytes, at, wordNull) : -1
      case 0x74: // t
        return part.kinds & kinds.boolean ? afterWord(this.#bytes, at, wordTrue) : -1
      case 0x66: // f
        return part.kinds & kinds.boolean ? afterWord(this.#bytes, at, wordFalse) : -1
      default:
        return afterNumber(part, this.#bytes, at)
    }
  }

  #text(part: SurePart, from: number): number {
    const bytes = this.#bytes
    const { length } = bytes
    let isPlain = true
    let at = from
    for (;;) {
      if (at >= length) return -1
      const byte = bytes[at] as number
      if (byte > backslash || (byte > quote && byte < backslash)) at++
      else if (byte === quote) break
      else if (byte === backslash) {
        isPlain = false
        at = afterEscape(bytes, at + 1)
        if (at === -1) return -1
      } else if (byte >= 0x20) at++
      else return -1
    }
    if (part.texts === null && part.textLength === null && part.textChecks.length === 0)
      return at + 1
    return isPlain && this.#isTextFit(part, from, at) ? at + 1 : -1
  }

  #isTextFit({ texts, textLength, textChecks }: SurePart, from: number, end: number): boolean {
    const bytes = this.#bytes
    if (texts !== null) {
      const same = texts.get(hashOf(bytes, from, end))
      if (same === undefined || !isAt(bytes, from, end, same)) return false
    }
    if (textLength !== null && !isWithin(textLength, countCharacters(bytes, from, end)))
      return false
    if (textChecks.length === 0) return true
    const text = this.#reading.textOf(bytes, from, end)
    return textChecks.every((fits) => fits(text))
  }

  #list(part: SurePart, from: number, depth: number): number {
    if (depth === this.#reading.depthMax) return -1
    const bytes = this.#bytes
    let length = 0
    let at = afterSpace(bytes, from)
    let byte = byteAt(bytes, at)
    while (byte !== endList) {
      at = this.#value(part.items, at, depth + 1)
      if (at === -1) return -1
      length++
      at = afterSpace(bytes, at)
      byte = byteAt(bytes, at)
      if (byte === comma) at = afterSpace(bytes, at + 1)
      else if (byte !== endList) return -1
    }
    return part.itemCount === null || isWithin(part.itemCount, length) ? at + 1 : -1
  }

  #object(part: SurePart, from: number, depth: number): number {
    if (depth === this.#reading.depthMax) return -1
    const bytes = this.#bytes
    const known = this.#keys
    let keys = 0
    let required = 0
    // Of the fields of the part: those from here on have not come.
    let expected = 0
    let at = afterSpace(bytes, from)
    let byte = byteAt(bytes, at)
    while (byte !== endObject) {
      if (keys === keysMax) return -1
      let field = part.fields[expected]
      if (field !== undefined && this.#isNext(field.start, at)) {
        known.note(depth, keys, field.hash)
        at += field.start.length
      } else {
        const key = at + 1
        at = known.read(bytes, at)
        if (at === -1 || !known.isNew(depth, keys)) return -1
        field = this.#fieldOf(part, key, at)
        at = afterSpace(bytes, at + 1)
        if (byteAt(bytes, at) !== colon) return -1
        at++
      }
      keys++
      let value = part.others
      if (field !== undefined) {
        value = field.part
        if (field.isRequired) required++
        if (field.index >= expected) expected = field.index + 1
      }
      if (value === null) return -1
      at = this.#value(value, afterSpace(bytes, at), depth + 1)
      if (at === -1) return -1
      at = afterSpace(bytes, at)
      byte = byteAt(bytes, at)
      if (byte === comma) at = afterSpace(bytes, at + 1)
      else if (byte !== endObject) return -1
    }
    if (required !== part.requiredCount) return -1
    return part.fieldCount === null || isWithin(part.fieldCount, keys) ? at + 1 : -1
  }

  #isNext(start: Uint8Array, from: number): boolean {
    const bytes = this.#bytes
    const { length } = start
    if (from + length > bytes.length) return false
    for (let at = 0; at < length; at++) if (bytes[from + at] !== start[at]) return false
    return true
  }

  #fieldOf(part: SurePart, from: number, end: number): SureField | undefined {
    const field = part.fieldByHash.get(this.#keys.hash)
    return field !== undefined && isAt(this.#bytes, from, end, field.name) ? field : undefined
  }
}
