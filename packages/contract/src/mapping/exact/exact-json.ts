import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json'
import { ExactReader } from './exact-reader.ts'
import type { ExactJson, ExactObject } from './exact-types.ts'
import { findTooDeep, utf8Length } from './json-text.ts'
import { mappingLimits } from '../mapping-limits.ts'

export { emptyObject, objectFrom, orderedObject } from './exact-object.ts'
export { isLosslessNumber, LosslessNumber }
export type { ExactJson, ExactObject }

export type JsonProblemReason = 'syntax' | 'duplicate_key' | 'too_deep' | 'too_large'

/** Why a text is not JSON that we take. `line` and `column` count from 1; the message names both. */
export class JsonProblem extends Error {
  override readonly name = 'JsonProblem'
  readonly reason: JsonProblemReason
  readonly line: number
  readonly column: number

  constructor(reason: JsonProblemReason, message: string, line = 1, column = 1) {
    super(message)
    this.reason = reason
    this.line = line
    this.column = column
  }
}

export interface ParseLimits {
  maxBytes?: number
  maxDepth?: number
}

/**
 * Parses JSON and keeps numbers as written and keys in their order. Throws `JsonProblem` when the text is not JSON, has more
 * than 5 MiB or 32 levels (both can be set), or names a key twice with two different values: a
 * parser that picks one of them would drop the other without a word. A leading byte order mark is
 * ignored.
 */
export function parseExact(text: string, limits: ParseLimits = {}): ExactJson {
  const { maxBytes = mappingLimits.bytes, maxDepth = mappingLimits.depth } = limits
  if (utf8Length(text, maxBytes) > maxBytes) {
    throw new JsonProblem('too_large', `The JSON is larger than ${inMebibytes(maxBytes)}.`)
  }
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text
  if (/^[ \t\r\n]*$/.test(json)) {
    throw new JsonProblem('syntax', 'There is no JSON here: the text is empty.')
  }
  // Before parsing: the parser recurses and would exhaust the stack on a text of nothing but "[".
  const tooDeepAt = findTooDeep(json, maxDepth)
  if (tooDeepAt !== undefined) {
    const what = `The JSON is nested more than ${maxDepth} levels deep`
    throw problemAt('too_deep', what, json, tooDeepAt)
  }
  return parseText(json)
}

/**
 * Writes JSON text, numbers exactly as they came in. `indent` is the number of spaces per level, at
 * most 10; without it the text is one line.
 */
export function stringifyExact(value: ExactJson, indent?: number): string {
  return stringify(value, undefined, indent) ?? 'null'
}

export function isExactObject(value: ExactJson): value is ExactObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value)
  )
}

/** The value of an object's own key; anything inherited does not count. */
export function ownValue(object: ExactObject, key: string): ExactJson | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function parseText(json: string): ExactJson {
  const reader = new ExactReader(json)
  const value = reader.read()
  if (value === undefined || reader.hasDuplicates) refuseFaulty(json)
  if (value === undefined) throw problemAt('syntax', 'This is not valid JSON', json, json.length)
  return value
}

/** Throws for a text that is not JSON or has two values for a key, naming the place. */
function refuseFaulty(json: string): void {
  try {
    parse(json, undefined, {
      onDuplicateKey: ({ key, position }) => {
        const what = `The key ${JSON.stringify(key)} occurs twice in one object`
        throw problemAt('duplicate_key', what, json, position - 1)
      },
    })
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const [, what = error.message, position = '0'] =
      /^(.*) at position (\d+)$/s.exec(error.message) ?? []
    throw problemAt('syntax', `This is not valid JSON: ${visible(what)}`, json, Number(position))
  }
}

function problemAt(reason: JsonProblemReason, what: string, text: string, position: number) {
  const lines = text.slice(0, position).split(/\r\n|\r|\n/)
  const column = (lines.at(-1)?.length ?? 0) + 1
  const message = `${what} (line ${lines.length}, column ${column}).`
  return new JsonProblem(reason, message, lines.length, column)
}

function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, (char) => JSON.stringify(char).slice(1, -1))
}

function inMebibytes(bytes: number): string {
  return `${Number((bytes / 1024 / 1024).toFixed(2))} MiB`
}
