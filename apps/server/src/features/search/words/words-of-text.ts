import { normalForm } from './normal-form.ts'
import { numberForm } from './number-form.ts'

/** A word as it is in a text, and the words of the index that find it. */
export interface TextWord {
  start: number
  end: number
  /** Finds it as a whole. */
  whole: string
  /** Of a word with marks in it, such as `INV-2026-1`: the pieces between them, which find it too. */
  pieces: readonly string[]
}

/** Letters and digits, with single marks between them. */
const word = /[\p{L}\p{N}\p{M}]+(?:[-_./,:@#&'+٫٬’][\p{L}\p{N}\p{M}]+)*/gu
const wordMaxLength = 64
const marks = /[-_./,:@#&'+٫٬’]/u
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/
const moment = /^(\d{4}-\d\d-\d\d)(t[\d:.]+z?)?$/
const timeOfDay = /^\d\d:\d\d(:\d\d)?(\.\d+)?z?$/

/** The words of a text that can be found, in their order. Longer ones than 64 characters are not words. */
export function* wordsOfText(text: string): Generator<TextWord> {
  for (const { 0: found, index } of text.matchAll(word)) {
    if (found.length > wordMaxLength) continue
    const { whole, pieces } = readWord(normalForm(found))
    if (whole !== '') yield { start: index, end: index + found.length, whole, pieces }
  }
}

function readWord(text: string): Pick<TextWord, 'whole' | 'pieces'> {
  const number = numberForm(text)
  if (number !== undefined) return { whole: number, pieces: [] }
  if (!marks.test(text)) return { whole: stem(text), pieces: [] }
  if (timeOfDay.test(text)) return { whole: '', pieces: [] }
  const day = moment.exec(text)?.[1]
  if (day) return { whole: joined(day), pieces: [] }
  // The pieces of a UUID say nothing, but its beginning is what people copy.
  if (uuid.test(text)) return { whole: joined(text), pieces: [text.slice(0, 8)] }
  return { whole: joined(text), pieces: text.split(marks).filter(isLong).map(stem) }
}

const joined = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')
const isLong = (text: string) => text.length > 1

/** Arabic words are found with and without their article. */
function stem(text: string): string {
  const bare = /^(?:وال|بال|كال|لل|ال)(\p{L}{3,})$/u.exec(text)?.[1]
  return bare ?? text
}

/** Only these are found by their beginning: numbers would be too many. */
export const isFoundByBeginning = (text: string): boolean => /^\p{L}{3,40}$/u.test(text)
