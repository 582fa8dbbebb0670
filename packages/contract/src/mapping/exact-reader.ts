import { LosslessNumber } from 'lossless-json'
import type { ExactJson, ExactObject } from './exact-types.ts'
import { emptyObject, isNumberKey, orderedObject } from './exact-object.ts'

const blanks = /[ \t\n\r]*/y
const plainString = /"[^"\\\x00-\x1f]*"/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const words = { t: ['true', true], f: ['false', false], n: ['null', null] } as const

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
    return value !== undefined && this.#next() === '' ? value : undefined
  }

  /** The next character that is not blank, without taking it; '' at the end. */
  #next(): string {
    const char = this.#text[this.#at]
    if (char !== undefined && char > ' ') return char
    blanks.lastIndex = this.#at
    blanks.test(this.#text)
    this.#at = blanks.lastIndex
    return this.#text[this.#at] ?? ''
  }

  #value(): ExactJson | undefined {
    const char = this.#next()
    if (char === '"') return this.#string()
    if (char === '{') return this.#object()
    if (char === '[') return this.#list()
    if (char === 't' || char === 'f' || char === 'n') {
      const [word, value] = words[char]
      return this.#take(word) ? value : undefined
    }
    const digits = this.#match(number)
    return digits === undefined ? undefined : new LosslessNumber(digits)
  }

  #object(): ExactObject | undefined {
    this.#at++
    let object = emptyObject()
    let isOrdered = false
    if (this.#next() === '}') return this.#end(object)
    for (;;) {
      const key = this.#next() === '"' ? this.#string() : undefined
      if (key === undefined || this.#next() !== ':') return undefined
      this.#at++
      const value = this.#value()
      if (value === undefined) return undefined
      if (!isOrdered && isNumberKey(key)) {
        object = Object.assign(orderedObject(), object)
        isOrdered = true
      }
      if (Object.hasOwn(object, key)) this.hasDuplicates = true
      else object[key] = value
      const char = this.#next()
      if (char === '}') return this.#end(object)
      if (char !== ',') return undefined
      this.#at++
    }
  }

  #list(): ExactJson[] | undefined {
    this.#at++
    const list: ExactJson[] = []
    if (this.#next() === ']') return this.#end(list)
    for (;;) {
      const value = this.#value()
      if (value === undefined) return undefined
      list.push(value)
      const char = this.#next()
      if (char === ']') return this.#end(list)
      if (char !== ',') return undefined
      this.#at++
    }
  }

  #string(): string | undefined {
    const plain = this.#match(plainString)
    if (plain !== undefined) return plain.slice(1, -1)
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

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#text) ?? []
    if (found !== undefined) this.#at = pattern.lastIndex
    return found
  }
}
