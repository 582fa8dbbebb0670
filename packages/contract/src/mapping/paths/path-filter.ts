import { LosslessNumber } from 'lossless-json'
import type { ExactJson } from '../exact/exact-types.ts'
import { readBracket, unescape, type PathStep } from './path-brackets.ts'
import { plainName, type ElementTest, type PathSegment } from './path-segments.ts'

const opening = /\[\s*\?/y

export function opensFilter(path: string, position: number): boolean {
  opening.lastIndex = position
  return opening.test(path)
}

/**
 * Reads `[?@.type=="VAT" && @.rate!=0]`: tests of equality joined by `&&`, each of a place inside the
 * element (names and indexes) against text, a number, true, false or null (RFC 9535 §2.3.5, a subset).
 */
export function readFilter(path: string, position: number): PathStep {
  opening.lastIndex = position
  opening.test(path)
  const scanner = new Scanner(path, opening.lastIndex)
  const where: ElementTest[] = []
  do {
    const test = readTest(scanner)
    if (typeof test === 'string') return { ok: false, message: test }
    where.push(test)
  } while (scanner.take(/\s*&&/y) !== undefined)
  if (scanner.take(/\s*\]/y) === undefined) {
    const message = 'a filter ends with a bracket, and && joins its tests.'
    return { ok: false, message }
  }
  return { ok: true, segment: { kind: 'all', where }, end: scanner.position }
}

function readTest(scanner: Scanner): ElementTest | string {
  if (scanner.take(/\s*@/y) === undefined) {
    return 'a filter compares a place in the element, as in [?@.type=="VAT"].'
  }
  const path: PathSegment[] = []
  for (;;) {
    const name = scanner.name()
    if (name !== undefined) {
      path.push({ kind: 'name', name })
      continue
    }
    if (scanner.text[scanner.position] !== '[') break
    const step = readBracket(scanner.text, scanner.position)
    if (!step.ok) return step.message
    if (step.segment.kind === 'all')
      return 'a filter compares one value: [*] is not possible in it.'
    path.push(step.segment)
    scanner.position = step.end
  }
  const operator = scanner.take(/\s*(==|!=)\s*/y)?.[1]
  if (operator === undefined) return 'a filter compares with == or !=.'
  const value = readLiteral(scanner)
  if (value === undefined) {
    return 'a filter compares with text in quotes, a number, true, false or null.'
  }
  return { path, isEqual: operator === '==', value }
}

/** Text in quotes, a number as JSON writes it, true, false or null; undefined where none is there. */
export function readLiteral(scanner: Scanner): ExactJson | undefined {
  const quoted = scanner.take(/'((?:[^'\\\x00-\x1f]|\\.)*)'|"((?:[^"\\\x00-\x1f]|\\.)*)"/y)
  if (quoted) return unescape(quoted[1] ?? quoted[2] ?? '')
  const digits = scanner.take(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.$@#[-])/y)?.[0]
  if (digits !== undefined) return new LosslessNumber(digits)
  const word = scanner.take(/(?:true|false|null)(?![\w.$@#[(-])/y)?.[0]
  return word === undefined ? undefined : word === 'null' ? null : word === 'true'
}

/** A place in a text that moves forward by what is read. */
export class Scanner {
  readonly text: string
  position: number

  constructor(text: string, position = 0) {
    this.text = text
    this.position = position
  }

  /** The match of a sticky pattern here; undefined, without moving, where there is none. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.position
    const match = pattern.exec(this.text) ?? undefined
    if (match) this.position = pattern.lastIndex
    return match
  }

  /** A dot and a plain name. */
  name(): string | undefined {
    if (this.text[this.position] !== '.') return undefined
    plainName.lastIndex = this.position + 1
    const name = plainName.exec(this.text)?.[0]
    if (name !== undefined) this.position += 1 + name.length
    return name
  }
}
