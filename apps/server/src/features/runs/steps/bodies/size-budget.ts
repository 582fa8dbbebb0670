import { exchangeMaxBytes } from '@gatehouse/contract/request'
import { isExactObject, stringifyExact, type ExactJson } from '@gatehouse/contract/mapping'

export const tooLarge = 'The values taken from earlier answers make the body larger than 5 MiB.'

/** Counts the size of values as JSON before a body is built from them. */
export class SizeBudget {
  #left = exchangeMaxBytes

  /**
   * Counts the value `times` times. False as soon as the sum is more than 5 MiB, and for every
   * later call. Reads no more of a value than fits.
   */
  take(value: ExactJson, times = 1): boolean {
    if (this.#left < 0) return false
    const before = this.#left
    this.#count(value)
    this.#left = before - (before - this.#left) * times
    return this.#left >= 0
  }

  #count(value: ExactJson): void {
    if (typeof value === 'string') this.#countText(value)
    else if (Array.isArray(value)) {
      // A comma each, and the brackets.
      this.#left -= value.length + 2
      for (const each of value) {
        if (this.#left < 0) return
        this.#count(each)
      }
    } else if (isExactObject(value)) {
      this.#left -= 2
      for (const key in value) {
        if (this.#left < 0) return
        this.#left -= 2
        this.#countText(key)
        this.#count(value[key] ?? null)
      }
    } else this.#left -= stringifyExact(value).length
  }

  #countText(text: string): void {
    this.#left -= text.length + 2
    // A text has at least this many bytes. Escaped characters need more.
    if (this.#left >= 0) this.#left -= Buffer.byteLength(JSON.stringify(text)) - text.length - 2
  }
}
