import {
  isExactObject,
  isLosslessNumber,
  objectFrom,
  stringifyExact,
  unescapeBraces,
  type ExactJson,
} from '@gatehouse/contract/mapping'
import {
  piecesOf,
  readPlaceholder,
  strayMessage,
  valueAt,
  type AnswerOf,
  type Placeholder,
  type Written,
} from '@gatehouse/contract/placeholders'
import type { Encode } from './bodies/encode-value.ts'
import { SizeBudget, tooLarge } from './bodies/size-budget.ts'

type FoundPlaceholders =
  /** `hasEscapes`: the body has four braces, which mean two braces of text, so it is rewritten. */
  { ok: true; placeholders: Placeholder[]; hasEscapes: boolean } | { ok: false; message: string }

type Filled = { ok: true; body: ExactJson } | { ok: false; message: string }

/**
 * All placeholders in the texts of a body, in order. Refused: ones that can't be read, ones that
 * ask a step which does not come before `position`, ones in a key, and whatever else two braces
 * open: a misspelt placeholder must not go out as it was typed.
 */
export function findPlaceholders(
  body: ExactJson,
  position: number,
  hasInput = false,
): FoundPlaceholders {
  const place = { position, hasInput }
  const placeholders: Placeholder[] = []
  let hasEscapes = false
  for (const { text, isKey } of textsOf(body)) {
    hasEscapes ||= text.includes('{{{{')
    for (const piece of piecesOf(text)) {
      if (piece.written === undefined) continue
      if (piece.written === null) return refused(strayMessage(piece.text, place))
      if (isKey)
        return refused(`${piece.text} stands in a key: values are taken into values alone.`)
      const read = readPlaceholder(piece.text, piece.written, place)
      if (!read.ok) return read
      placeholders.push(read.placeholder)
    }
  }
  return { ok: true, placeholders, hasEscapes }
}

/**
 * Fills in the values once: placeholders inside a value are not filled. A text that is exactly one
 * placeholder becomes the value with its type. Inside a longer text the value becomes text, and
 * numbers keep their digits. A missing value is refused, and so is an object, list or null inside a
 * longer text: the message names the first placeholder at fault. The values may have 5 MiB in
 * total. They are counted as they are taken, because a large value that is used often would fill
 * the memory. With `encode` the body is one text, and every value is written into it encoded.
 */
export function fillPlaceholders(
  body: ExactJson,
  position: number,
  answerOf: AnswerOf,
  encode?: Encode,
): Filled {
  let message: string | undefined
  const budget = new SizeBudget()
  const valueOf = (whole: string, written: Written): ExactJson => {
    // One fault is enough.
    if (message !== undefined) return ''
    const read = readPlaceholder(whole, written, { position, hasInput: true })
    const value = read.ok ? valueAt(read.placeholder, answerOf) : read
    if (value.ok && budget.take(value.value)) return value.value
    message = value.ok ? tooLarge : value.message
    return ''
  }
  const partOf = (whole: string, written: Written): string => {
    const value = valueOf(whole, written)
    if (typeof value === 'string') return encoded(whole, value)
    if (typeof value === 'boolean' || isLosslessNumber(value)) return stringifyExact(value)
    const what = value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object'
    message ??= `${whole} is ${what}, which can't stand inside a longer text.`
    return ''
  }
  const encoded = (whole: string, text: string): string => {
    const written = encode ? encode(text) : text
    if (written === undefined)
      message ??= `${whole} holds a character that a body of this content type can't carry.`
    return written ?? ''
  }
  const fill = (value: ExactJson): ExactJson => {
    if (typeof value === 'string') return fillText(value, encode ? partOf : valueOf, partOf)
    if (Array.isArray(value)) return value.map(fill)
    if (!isExactObject(value)) return value
    return objectFrom(Object.entries(value).map(([key, each]) => [unescapeBraces(key), fill(each)]))
  }
  const filled = fill(body)
  return message === undefined ? { ok: true, body: filled } : { ok: false, message }
}

function fillText(
  text: string,
  valueOf: (whole: string, written: Written) => ExactJson,
  partOf: (whole: string, written: Written) => string,
): ExactJson {
  const pieces = piecesOf(text)
  const [only] = pieces
  if (only?.written && pieces.length === 1) return valueOf(only.text, only.written)
  return pieces
    .map(({ text: piece, written }) => (written ? partOf(piece, written) : piece))
    .join('')
}

/** Why a value of the input is missing, for each placeholder that takes one which is not there. */
export function missingInputs(placeholders: readonly Placeholder[], input: ExactJson) {
  return placeholders.flatMap((placeholder) => {
    if (placeholder.step !== 0) return []
    const value = valueAt(placeholder, () => input)
    return value.ok ? [] : [{ segments: placeholder.segments, message: value.message }]
  })
}

function* textsOf(value: ExactJson): Generator<{ text: string; isKey: boolean }> {
  if (typeof value === 'string') yield { text: value, isKey: false }
  else if (Array.isArray(value)) for (const each of value) yield* textsOf(each)
  else if (isExactObject(value)) {
    for (const [key, each] of Object.entries(value)) {
      yield { text: key, isKey: true }
      yield* textsOf(each)
    }
  }
}

const refused = (message: string) => ({ ok: false, message }) as const
