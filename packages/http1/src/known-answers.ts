import { readAnswerHead } from './answer-head.ts'
import type { AnswerHead } from './answer-head.ts'
import type { AnswerFieldNames } from './answer-field-names.ts'

const slotCount = 64
/** Larger heads are not kept. */
const keptTextMax = 1_024

/**
 * Reads heads of answers. Upstreams send the same head over and over, down to the second in its date: one that is
 * letter by letter that which came last of its length is what that one was. One object serves all connections to an upstream.
 */
export class KnownAnswers {
  readonly #names: AnswerFieldNames
  readonly #slots: (AnswerHead | undefined)[] = Array.from({ length: slotCount })

  constructor(names: AnswerFieldNames) {
    this.#names = names
  }

  /** The same as `readAnswerHead`; what it returns may be returned again. */
  read(text: string): AnswerHead {
    const slot = text.length % slotCount
    const known = this.#slots[slot]
    if (known !== undefined && known.text === text) return known
    const head = readAnswerHead(text, this.#names)
    if (text.length <= keptTextMax) this.#slots[slot] = head
    return head
  }
}
