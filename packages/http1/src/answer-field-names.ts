import { hopByHopNames } from '@gatehouse/upstream/http'

/** What is done with a field of an answer, by its name. */
type AnswerFieldKind =
  | 'pass'
  /** Belongs to one connection, or the reader does not want it. */
  | 'drop'
  | 'set-cookie'
  | 'content-length'
  | 'transfer-encoding'
  | 'connection'
  | 'keep-alive'
  | 'invalid'

/** Which fields of an answer its reader wants. Fields that belong to one connection are dropped without a question. */
export interface AnswerFieldRules {
  isPassed(lowerName: string): boolean
  /** `value` is that of a Set-Cookie field. */
  isCookiePassed(value: string): boolean
}

const special = new Map<string, AnswerFieldKind>([
  ['set-cookie', 'set-cookie'],
  ['content-length', 'content-length'],
  ['transfer-encoding', 'transfer-encoding'],
  ['connection', 'connection'],
  ['keep-alive', 'keep-alive'],
])

const knownMax = 2_048

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

const isToken = (name: string): boolean => token.test(name)

/** Sorts the fields of answers by the rules of one reader. One object serves all connections of a process. */
export class AnswerFieldNames {
  readonly rules: AnswerFieldRules
  readonly #known = new Map<string, AnswerFieldKind>()

  constructor(rules: AnswerFieldRules) {
    this.rules = rules
  }

  /** By the name as it came, in any case. Names seen before cost one look-up. */
  kindOf(name: string): AnswerFieldKind {
    const kind = this.#known.get(name)
    if (kind !== undefined) return kind
    const found = this.#classify(name)
    // An upstream that makes up names must not fill the memory.
    // The copy does not hold on to the head that the name was cut from.
    if (this.#known.size < knownMax && name.length <= 64) {
      this.#known.set(Buffer.from(name).toString(), found)
    }
    return found
  }

  #classify(name: string): AnswerFieldKind {
    if (!isToken(name)) return 'invalid'
    const lower = name.toLowerCase()
    const kind = special.get(lower)
    if (kind !== undefined) return kind
    return !hopByHopNames.has(lower) && this.rules.isPassed(lower) ? 'pass' : 'drop'
  }
}

/** For a reader that wants every field that does not belong to one connection. */
export const passAllFields = new AnswerFieldNames({
  isPassed: () => true,
  isCookiePassed: () => true,
})
