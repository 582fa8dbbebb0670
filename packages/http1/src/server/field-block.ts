import { fieldLine } from './answer-fields.ts'

/**
 * Header fields of an answer as they are sent, and what they say of its framing. An answer that is passed on again
 * and again has one for all times: it is made once.
 */
export class FieldBlock {
  /** Name, value, name, value. Never changed. */
  readonly fields: readonly string[]
  /** With line ends, without Connection: the connection is ours, and all that a caller can say of it is that it ends. */
  readonly text: string
  readonly hasDate: boolean
  /** Of the body; -1: none is stated. */
  readonly length: number
  readonly isLast: boolean
  #answers: Map<string, boolean> | null = null

  /** Throws TypeError for what can't be in a head. */
  constructor(fields: readonly string[]) {
    let text = ''
    let hasDate = false
    let length = -1
    let isLast = false
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const name = fields[at] ?? ''
      const value = fields[at + 1] ?? ''
      const line = fieldLine(name, value)
      switch (name.length) {
        case 4:
          hasDate ||= name.toLowerCase() === 'date'
          break
        case 10:
          if (name.toLowerCase() !== 'connection') break
          isLast ||= value === 'close'
          continue
        case 14:
          if (name.toLowerCase() === 'content-length') length = Number(value)
      }
      text += line
    }
    this.fields = fields
    this.text = text
    this.hasDate = hasDate
    this.length = length
    this.isLast = isLast
  }

  /** Whether the name of a field begins so. `beginning`: lower case; few different ones are asked for. */
  hasNameLike(beginning: string): boolean {
    const answers = (this.#answers ??= new Map<string, boolean>())
    let answer = answers.get(beginning)
    if (answer === undefined) {
      answer = this.fields.some(
        (text, at) => at % 2 === 0 && text.toLowerCase().startsWith(beginning),
      )
      answers.set(beginning, answer)
    }
    return answer
  }
}

export const noFields = new FieldBlock([])
