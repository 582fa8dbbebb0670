import { isLosslessNumber } from 'lossless-json'
import type { ExactJson } from '../exact/exact-types.ts'

/**
 * One step of a path: a key of an object, an element of a list, or every element of a list; with
 * `where` every element that passes all tests (RFC 9535 §2.3.5).
 */
export type PathSegment =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'all'; readonly where?: readonly ElementTest[] }

/** `@.type == "VAT"`: what is compared, inside the element, and with which plain value. */
export interface ElementTest {
  readonly path: readonly PathSegment[]
  readonly isEqual: boolean
  /** Text, a number, true, false or null. */
  readonly value: ExactJson
}

/**
 * Names that need no quotes: letters, digits and _ - $ @ #, and anything beyond ASCII that can be
 * seen. Colon and comma need quotes, because lists of fields are written `path:as, path`.
 */
export const plainName = /(?:[\w$@#-]|[^\x00-\x7f\p{Z}\p{Cc}\p{Cf}\p{Cs}])+/uy

/** `items.0` is a slip for `items[0]` far more often than a key, so a number as a name needs quotes. */
export const numberLikeName = /^-?\d+$/

/**
 * The shortest path that `parsePath` reads back as these keys: text for a key of an object, a number
 * for an element of a list. No keys at all are `$`, the whole document.
 */
export function pathOfValue(keys: readonly (string | number)[]): string {
  return pathText(
    keys.map((key) =>
      typeof key === 'number' ? { kind: 'index', index: key } : { kind: 'name', name: key },
    ),
  )
}

/** The shortest text of a path. */
export function pathText(segments: readonly PathSegment[]): string {
  let text = ''
  for (const segment of segments) {
    if (segment.kind === 'all') text += segment.where ? filterText(segment.where) : '[*]'
    else if (segment.kind === 'index') text += `[${segment.index}]`
    else if (isPlain(segment.name, text === '')) text += (text && '.') + segment.name
    else text += `[${quoted(segment.name)}]`
  }
  return text || '$'
}

function filterText(tests: readonly ElementTest[]): string {
  const texts = tests.map(({ path, isEqual, value }) => {
    const inside = path.length === 0 ? '' : pathText(path)
    const dot = inside === '' || inside.startsWith('[') ? '' : '.'
    const written = isLosslessNumber(value) ? value.value : JSON.stringify(value)
    return `@${dot}${inside}${isEqual ? '==' : '!='}${written}`
  })
  return `[?${texts.join(' && ')}]`
}

/** The path with its `[*]` filled in from the left: `items[*].sku` and 3 make `items[3].sku`. */
export function pathTextAt(segments: readonly PathSegment[], at: readonly number[]): string {
  const indexes = at.values()
  return pathText(
    segments.map((segment) => {
      const index = segment.kind === 'all' ? indexes.next().value : undefined
      return index === undefined ? segment : { kind: 'index', index }
    }),
  )
}

export function countAll(segments: readonly PathSegment[]): number {
  return segments.filter((segment) => segment.kind === 'all').length
}

function isPlain(name: string, isFirst: boolean): boolean {
  // A first `$` would be read as the root.
  if (numberLikeName.test(name) || (isFirst && name.startsWith('$'))) return false
  plainName.lastIndex = 0
  return plainName.exec(name)?.[0].length === name.length
}

/** In whichever quotes make the shorter text; what cannot be seen becomes an escape. */
function quoted(name: string): string {
  const escaped = name
    .replaceAll('\\', '\\\\')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, escapeCharacter)
  const inSingle = `'${escaped.replaceAll("'", "\\'")}'`
  const inDouble = `"${escaped.replaceAll('"', '\\"')}"`
  return inDouble.length < inSingle.length ? inDouble : inSingle
}

const shortEscapes = new Map([
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

function escapeCharacter(character: string): string {
  const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'))
  return shortEscapes.get(character) ?? units.map((unit) => `\\u${unit}`).join('')
}
