import {
  isExactObject,
  isLosslessNumber,
  objectFrom,
  parsePath,
  readPath,
  stringifyExact,
  unescapeBraces,
  type ExactJson,
  type PathSegment,
} from '@gatehouse/contract/mapping'
import type { Encode } from './encode-value.ts'
import { strayMessage, suggestion } from './placeholder-hint.ts'
import { SizeBudget, tooLarge } from './size-budget.ts'

/**
 * `{{steps.1.body.path}}` in a text of a body: takes a value from an earlier step's answer
 * (docs/runs.md).
 */
interface Placeholder {
  /** As it was written, braces included. */
  text: string
  step: number
  segments: PathSegment[]
  hasMany: boolean
}

type FoundPlaceholders =
  /** `hasEscapes`: the body has four braces, which mean two braces of text, so it is rewritten. */
  { ok: true; placeholders: Placeholder[]; hasEscapes: boolean } | { ok: false; message: string }

/** The answer of an earlier step as exact JSON; undefined where it is unknown or not JSON. */
export type AnswerOf = (step: number) => ExactJson | undefined

type Filled = { ok: true; body: ExactJson } | { ok: false; message: string }

/** Braces included; a path alone may have 256 characters. */
const placeholderMaxLength = 300
const shownMaxLength = 100
const braces = /\{{2,}/g
const ours = /\s{0,8}steps\b/y
const inside = /^\.(\d{1,2})\.body(?=$|[.[])(.*)$/s

/**
 * A piece of a text: plain text as it is sent, or what two braces open. For the latter, `written`
 * is what follows `steps` in a placeholder, and null in anything else.
 */
type Piece = { text: string; written?: string | null }

/**
 * All placeholders in the texts of a body, in order. Refused: ones that can't be read, ones that
 * ask a step which does not come before `position`, ones in a key, and whatever else two braces
 * open: a misspelt placeholder must not go out as it was typed.
 */
export function findPlaceholders(body: ExactJson, position: number): FoundPlaceholders {
  const placeholders: Placeholder[] = []
  let hasEscapes = false
  for (const { text, isKey } of textsOf(body)) {
    hasEscapes ||= text.includes('{{{{')
    for (const piece of piecesOf(text)) {
      if (piece.written === undefined) continue
      if (piece.written === null) return refused(strayMessage(piece.text, position))
      if (isKey)
        return refused(`${piece.text} stands in a key: values are taken into values alone.`)
      const read = readPlaceholder(piece.text, piece.written, position)
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
  const valueOf = (whole: string, written: string): ExactJson => {
    // One fault is enough.
    if (message !== undefined) return ''
    const read = readPlaceholder(whole, written, position)
    const value = read.ok ? valueAt(read.placeholder, answerOf) : read
    if (value.ok && budget.take(value.value)) return value.value
    message = value.ok ? tooLarge : value.message
    return ''
  }
  const partOf = (whole: string, written: string): string => {
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
  valueOf: (whole: string, written: string) => ExactJson,
  partOf: (whole: string, written: string) => string,
): ExactJson {
  const pieces = piecesOf(text)
  const [only] = pieces
  if (typeof only?.written === 'string' && pieces.length === 1)
    return valueOf(only.text, only.written)
  return pieces
    .map(({ text: piece, written }) =>
      typeof written === 'string' ? partOf(piece, written) : piece,
    )
    .join('')
}

/**
 * Cuts a text at its placeholders. A placeholder without an end can't be read. In a sequence of
 * braces each four mean two braces of text, and the last two of the rest open a placeholder.
 */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let done = 0
  let plain = ''
  for (;;) {
    braces.lastIndex = done
    const match = braces.exec(text)
    if (!match) break
    const { length } = match[0]
    const inner = match.index + length
    const left = length % 4
    plain += text.slice(done, match.index) + '{{'.repeat((length - left) / 4)
    if (left % 2 === 1) plain += '{'
    done = inner
    if (left < 2) continue
    if (plain !== '') pieces.push({ text: plain })
    plain = ''
    const opened = openedAt(text, inner)
    pieces.push(opened.piece)
    done = opened.end
  }
  plain += text.slice(done)
  if (plain !== '') pieces.push({ text: plain })
  return pieces
}

/** The piece that is opened by the two braces before `inner`. */
function openedAt(text: string, inner: number): { piece: Piece; end: number } {
  ours.lastIndex = inner
  const begin = ours.test(text) ? ours.lastIndex : undefined
  const { end, isClosed } = begin === undefined ? endOfStray(text, inner) : endOf(text, begin)
  const whole = text.slice(inner - 2, end)
  if (begin === undefined) return { piece: { text: whole, written: null }, end }
  return { piece: { text: whole, written: isClosed ? text.slice(begin, end - 2) : '' }, end }
}

/**
 * For messages only: up to the nearest closing braces, or the longest text that a message shows.
 */
function endOfStray(text: string, from: number): { end: number; isClosed: boolean } {
  const at = text.slice(from, from + shownMaxLength).indexOf('}}')
  return { end: at < 0 ? from + shownMaxLength : from + at + 2, isClosed: at >= 0 }
}

/** Where the braces that are open at `from` close. Braces in quotes do not count. */
function endOf(text: string, from: number): { end: number; isClosed: boolean } {
  const last = Math.min(text.length, from + placeholderMaxLength)
  let quote = ''
  for (let at = from; at < last; at++) {
    const char = text[at] ?? ''
    if (quote !== '') {
      if (char === '\\') at++
      else if (char === quote) quote = ''
    } else if (char === "'" || char === '"') quote = char
    else if (char === '}' && text[at + 1] === '}') return { end: at + 2, isClosed: true }
  }
  return { end: last, isClosed: false }
}

function readPlaceholder(text: string, written: string, position: number) {
  const [, step = '', path = ''] = inside.exec(written.trim()) ?? []
  const number = Number(step)
  if (step === '') {
    const meant = suggestion(text, position)
    return refused(
      `${text} can't be read: write {{steps.1.body.path}} with the number of an earlier step.${
        meant === undefined ? '' : ` Did you mean ${meant}?`
      }`,
    )
  }
  if (number < 1 || number >= position) {
    return refused(
      position === 1
        ? `${text} can't be used in step 1: no step comes before it.`
        : `${text} asks step ${number}, which does not come before step ${position}.`,
    )
  }
  const parsed = parsePath(`$${path}`, 'read')
  if (!parsed.ok) return refused(`${text}: ${parsed.message}`)
  const hasMany = parsed.segments.some(({ kind }) => kind === 'all')
  return {
    ok: true,
    placeholder: { text, step: number, segments: parsed.segments, hasMany },
  } as const
}

function valueAt({ text, step, segments, hasMany }: Placeholder, answerOf: AnswerOf) {
  const answer = answerOf(step)
  if (answer === undefined) return refused(`${text}: step ${step} left no answer that is JSON.`)
  const found = readPath(answer, segments)
  if (!found.ok) return refused(`${text}: ${found.message}`)
  if (hasMany && found.values.length > 0) return { ok: true, value: found.values } as const
  const [value] = found.values
  if (value === undefined) return refused(`${text}: the answer of step ${step} has no such value.`)
  return { ok: true, value } as const
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
