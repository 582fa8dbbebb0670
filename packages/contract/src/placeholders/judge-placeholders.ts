import { isExactObject, type ExactJson } from '../mapping/exact/exact-json.ts'
import { pathText, type PathSegment } from '../mapping/paths/path-segments.ts'
import { distance, strayMessage, type Place } from './placeholder-hint.ts'
import { piecesOf } from './placeholder-pieces.ts'
import { readPlaceholder, valueAt, type AnswerOf, type Placeholder } from './read-placeholder.ts'

export interface PlaceholderProblem {
  /** Its range in the text, half open. */
  from: number
  to: number
  message: string
}

/**
 * The placeholders of a typed text that can't be filled: misspelt ones, and those that take a value which
 * the sample does not have. Where there is no sample of an answer, nothing is said of its values.
 */
export function judgePlaceholders(
  text: string,
  place: Place,
  sampleOf: AnswerOf,
): PlaceholderProblem[] {
  return piecesOf(text).flatMap((piece) => {
    // A backslash is an escape of the JSON text: what is meant is read after it was parsed.
    if (piece.at === undefined || piece.text.includes('\\')) return []
    const message =
      piece.written == null
        ? strayMessage(piece.text, place)
        : problemOf(readPlaceholder(piece.text, piece.written, place), sampleOf)
    return message === undefined
      ? []
      : [{ from: piece.at, to: piece.at + piece.text.length, message }]
  })
}

function problemOf(
  read: ReturnType<typeof readPlaceholder>,
  sampleOf: AnswerOf,
): string | undefined {
  if (!read.ok) return read.message
  const { placeholder } = read
  const sample = sampleOf(placeholder.step)
  if (sample === undefined) return undefined
  const value = valueAt(placeholder, () => sample)
  if (value.ok) return undefined
  const meant = nearest(sample, placeholder)
  return meant === undefined ? value.message : `${value.message} Did you mean ${meant}?`
}

const typosMax = 2

/** The placeholder with the first name that is missing corrected; undefined where no name is close. */
function nearest(sample: ExactJson, { step, segments }: Placeholder): string | undefined {
  let node: ExactJson | undefined = sample
  for (const [at, segment] of segments.entries()) {
    if (segment.kind !== 'name') {
      const index = segment.kind === 'index' ? segment.index : 0
      node = Array.isArray(node) ? node.at(index) : undefined
      continue
    }
    if (node === undefined || !isExactObject(node)) return undefined
    const next: ExactJson | undefined = Object.hasOwn(node, segment.name)
      ? node[segment.name]
      : undefined
    if (next === undefined) {
      const name = closest(segment.name, Object.keys(node))
      return name === undefined
        ? undefined
        : placeholderOf(step, segments.with(at, { kind: 'name', name }))
    }
    node = next
  }
  return undefined
}

function closest(name: string, names: readonly string[]): string | undefined {
  const far = (other: string) => distance(name.toLowerCase(), other.toLowerCase())
  const [best] = names
    .filter((other) => other.length < 100)
    .toSorted((one, other) => far(one) - far(other))
  return best !== undefined && far(best) <= typosMax ? best : undefined
}

/** A placeholder as it is written. Step 0 is the input. */
export function placeholderOf(step: number, segments: readonly PathSegment[]): string {
  const root = step === 0 ? 'input' : `steps.${step}.body`
  const path = pathText(segments)
  if (segments.length === 0) return `{{${root}}}`
  return `{{${root}${path.startsWith('[') ? '' : '.'}${path}}}`
}
