import { isAnswerFieldPassed } from '../http/field-names.ts'

/** What is done with a field of an answer, by its name. */
export type AnswerFieldKind =
  | 'pass'
  /** Belongs to one connection, or is ours to set. */
  | 'drop'
  | 'set-cookie'
  | 'content-length'
  | 'transfer-encoding'
  | 'connection'
  | 'keep-alive'
  | 'invalid'

const special = new Map<string, AnswerFieldKind>([
  ['set-cookie', 'set-cookie'],
  ['content-length', 'content-length'],
  ['transfer-encoding', 'transfer-encoding'],
  ['connection', 'connection'],
  ['keep-alive', 'keep-alive'],
])

const known = new Map<string, AnswerFieldKind>()
const knownMax = 2_048

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

export const isToken = (name: string): boolean => token.test(name)

/** By the name as it came, in any case. Names seen before cost one look-up. */
export function answerFieldOf(name: string): AnswerFieldKind {
  const kind = known.get(name)
  if (kind !== undefined) return kind
  const found = classify(name)
  // An upstream that makes up names must not fill the memory.
  // The copy does not hold on to the head that the name was cut from.
  if (known.size < knownMax && name.length <= 64) known.set(Buffer.from(name).toString(), found)
  return found
}

function classify(name: string): AnswerFieldKind {
  if (!isToken(name)) return 'invalid'
  const lower = name.toLowerCase()
  return special.get(lower) ?? (isAnswerFieldPassed(lower) ? 'pass' : 'drop')
}
