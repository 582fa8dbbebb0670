import { LosslessNumber } from 'lossless-json'
import type { ExactJson, ExactObject } from './exact-types.ts'
import { emptyObject, isNumberKey, orderedObject } from './exact-object.ts'

const quote = 0x22
const plus = 0x2b
const comma = 0x2c
const minus = 0x2d
const dot = 0x2e
const zero = 0x30
const colon = 0x3a
const openList = 0x5b
const backslash = 0x5c
const endList = 0x5d
const openObject = 0x7b
const endObject = 0x7d
/** Behind the last character. */
const nothing = 0

/**
 * Reads JSON text (RFC 8259) with numbers as written and keys in their order. `undefined`: it is not
 * JSON; the caller finds the place. Recurses once per level, so check the depth first.
 */
export class ExactReader {
  readonly #text: string
  #at = 0
  /** One object has a key twice; the first value was kept. */
  hasDuplicates = false

  constructor(text: string) {
    this.#text = text
  }

  read(): ExactJson | undefined {
    const value = this.#value()
    return value !== undefined && this.#isEnd() ? value : undefined
  }

  #isEnd(): boolean {
    this.#next()
    return this.#at === this.#text.length
  }

  /** The code of the next character that is not blank, without taking it; `nothing` at the end. */
  #next(): number {
    let code = this.#codeAt(this.#at)
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09)
      code = this.#codeAt(++this.#at)
    return code
  }

  #codeAt(at: number): number {
    return at < this.#text.length ? this.#text.charCodeAt(at) : nothing
  }

  #value(): ExactJson | undefined {
    switch (this.#next()) {
      case quote:
        return this.#string()
      case openObject:
        return this.#object()
      case openList:
        return this.#list()
      case 0x74:
        return this.#take('true') ? true : undefined
      case 0x66:
        return this.#take('false') ? false : undefined
      case 0x6e:
        return this.#take('null') ? null : undefined
      default:
        return this.#number()
    }
  }

  #number(): LosslessNumber | undefined {
    const from = this.#at
    const isNegative = this.#codeAt(from) === minus
    const start = isNegative ? from + 1 : from
    // A zero is a number of its own: what follows is judged by who reads on.
    let end = this.#codeAt(start) === zero ? start + 1 : this.#afterDigits(start)
    if (end === start) return undefined
    if (this.#codeAt(end) === dot) {
      const after = this.#afterDigits(end + 1)
      if (after > end + 1) end = after
    }
    if ((this.#codeAt(end) | 0x20) === 0x65) {
      const sign = this.#codeAt(end + 1)
      const digits = sign === plus || sign === minus ? end + 2 : end + 1
      const after = this.#afterDigits(digits)
      if (after > digits) end = after
    }
    this.#at = end
    return new LosslessNumber(this.#text.slice(from, end))
  }

  #afterDigits(from: number): number {
    let at = from
    for (let code = this.#codeAt(at); code >= zero && code <= 0x39; code = this.#codeAt(at)) at++
    return at
  }

  #object(): ExactObject | undefined {
    this.#at++
    let object = emptyObject()
    let isOrdered = false
    if (this.#next() === endObject) return this.#end(object)
    for (;;) {
      const key = this.#next() === quote ? this.#string() : undefined
      if (key === undefined || this.#next() !== colon) return undefined
      this.#at++
      const value = this.#value()
      if (value === undefined) return undefined
      if (!isOrdered && isNumberKey(key)) {
        object = Object.assign(orderedObject(), object)
        isOrdered = true
      }
      if (Object.hasOwn(object, key)) this.hasDuplicates = true
      else object[key] = value
      const code = this.#next()
      if (code === endObject) return this.#end(object)
      if (code !== comma) return undefined
      this.#at++
    }
  }

  #list(): ExactJson[] | undefined {
    this.#at++
    const list: ExactJson[] = []
    if (this.#next() === endList) return this.#end(list)
    for (;;) {
      const value = this.#value()
      if (value === undefined) return undefined
      list.push(value)
      const code = this.#next()
      if (code === endList) return this.#end(list)
      if (code !== comma) return undefined
      this.#at++
    }
  }

  #string(): string | undefined {
    const text = this.#text
    const from = this.#at + 1
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === quote) {
        this.#at = at + 1
        return text.slice(from, at)
      }
      if (code === backslash || code < 0x20) break
    }
    return this.#escaped()
  }

  #escaped(): string | undefined {
    const escaped = this.#text.slice(this.#at, this.#endOfString())
    try {
      const text: unknown = JSON.parse(escaped)
      if (typeof text !== 'string') return undefined
      this.#at += escaped.length
      return text
    } catch {
      return undefined
    }
  }

  /** Behind the first quote that no backslash escapes. Looks at each character once. */
  #endOfString(): number {
    for (let at = this.#at + 1; ; at++) {
      at = this.#text.indexOf('"', at)
      if (at < 0) return this.#text.length
      let backslashes = 0
      while (this.#text[at - 1 - backslashes] === '\\') backslashes++
      if (backslashes % 2 === 0) return at + 1
    }
  }

  #end<T>(value: T): T {
    this.#at++
    return value
  }

  #take(word: string): boolean {
    const isThere = this.#text.startsWith(word, this.#at)
    this.#at += word.length
    return isThere
  }
}
