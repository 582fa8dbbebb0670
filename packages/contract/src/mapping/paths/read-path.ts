import type { ExactJson } from '../exact/exact-json.ts'
import { isExactObject, ownValue } from '../exact/exact-json.ts'
import { mappingLimits } from '../mapping-limits.ts'
import { areSame } from '../functions/arguments.ts'
import type { ElementTest, PathSegment } from './path-segments.ts'
import { pathText, pathTextAt } from './path-segments.ts'
import { counted, kindOf } from '../show-value.ts'

/**
 * What a path found: a value, nothing, or, at a `[*]`, one reading for each element of the list.
 * Keeping the shape is what lets two lists be zipped by index although some elements lack a value.
 */
export type Reading =
  | { kind: 'value'; value: ExactJson }
  | { kind: 'gap' }
  /** `indexes`: where a filter chose elements, their places in the list. */
  | { kind: 'list'; items: Reading[]; indexes?: readonly number[] }

export type ReadResult = { ok: true; reading: Reading } | { ok: false; message: string }

/**
 * All matches of a path in order; an empty list when nothing matches. Only own keys count, and JSON
 * null is a match. Refused: `[*]` on something that is neither a list nor null, and more than 10,000
 * elements. `onVisit` receives the number of elements that are read next.
 */
export function readPath(
  source: ExactJson,
  segments: readonly PathSegment[],
  onVisit?: (elements: number) => void,
): { ok: true; values: ExactJson[] } | { ok: false; message: string } {
  const result = readShape(source, segments, onVisit)
  return result.ok ? { ok: true, values: valuesOf(result.reading) } : result
}

/** Like `readPath`, with the shape of the lists it went through. */
export function readShape(
  source: ExactJson,
  segments: readonly PathSegment[],
  onVisit?: (elements: number) => void,
): ReadResult {
  const elementsByLevel: number[] = []
  let message = ''
  const read = (start: ExactJson, first: number, at: readonly number[]): Reading => {
    let node = start
    for (let position = first; position < segments.length; position++) {
      const segment = segments[position]
      if (segment === undefined) break
      if (segment.kind !== 'all') {
        const child = stepInto(node, segment)
        if (child === undefined) return { kind: 'gap' }
        node = child
        continue
      }
      if (node === null) return { kind: 'gap' }
      if (!Array.isArray(node)) {
        message ||= `${placeAt(segments.slice(0, position), at)} is ${kindOf(node)}, not a list, so [*] cannot be used on it.`
        return { kind: 'gap' }
      }
      const elements = (elementsByLevel[at.length] ?? 0) + node.length
      elementsByLevel[at.length] = elements
      if (elements > mappingLimits.elements) {
        message ||= `${pathText(segments.slice(0, position + 1))} has more than the ${mappingLimits.elements} elements that one row may read.`
        return { kind: 'gap' }
      }
      onVisit?.(node.length)
      const { where } = segment
      if (!where) {
        return {
          kind: 'list',
          items: node.map((item, index) => read(item, position + 1, [...at, index])),
        }
      }
      const list = node
      const indexes = chosen(list, where)
      return {
        kind: 'list',
        items: indexes.map((index) => read(list[index] ?? null, position + 1, [...at, index])),
        indexes,
      }
    }
    return { kind: 'value', value: node }
  }
  const reading = read(source, 0, [])
  return message === '' ? { ok: true, reading } : { ok: false, message }
}

/** The places of the elements that pass all tests. A place that is missing equals nothing. */
function chosen(list: readonly ExactJson[], tests: readonly ElementTest[]): number[] {
  const passes = (element: ExactJson) =>
    tests.every(({ path, value, isEqual }) => areSame(valueAt(element, path), value) === isEqual)
  return [...list.keys()].filter((index) => passes(list[index] ?? null))
}

function valueAt(element: ExactJson, path: readonly PathSegment[]): ExactJson | undefined {
  let node: ExactJson | undefined = element
  for (const segment of path) {
    if (node === undefined || segment.kind === 'all') return undefined
    node = stepInto(node, segment)
  }
  return node
}

/** The values of a reading in order, gaps left out. */
export function valuesOf(reading: Reading): ExactJson[] {
  if (reading.kind === 'value') return [reading.value]
  return reading.kind === 'list' ? reading.items.flatMap(valuesOf) : []
}

/** True when there is something to map: a value, or a list that exists and is empty. */
export function isFound(reading: Reading): boolean {
  if (reading.kind !== 'list') return reading.kind === 'value'
  return reading.items.length === 0 || reading.items.some(isFound)
}

/** Says where a path that matches nothing got stuck; behind `[*]` it looks at the first element. */
export function explainMiss(source: ExactJson, segments: readonly PathSegment[]): string {
  let node = source
  const at: number[] = []
  for (const [position, segment] of segments.entries()) {
    const child = stepInto(node, segment.kind === 'all' ? { kind: 'index', index: 0 } : segment)
    if (child === undefined) {
      return `${placeAt(segments.slice(0, position), at)} ${whatItLacks(node, segment)}.`
    }
    if (segment.kind === 'all') at.push(0)
    node = child
  }
  return ''
}

function stepInto(
  node: ExactJson,
  segment: Exclude<PathSegment, { kind: 'all' }>,
): ExactJson | undefined {
  if (segment.kind === 'name') {
    return isExactObject(node) ? ownValue(node, segment.name) : undefined
  }
  return Array.isArray(node) ? node.at(segment.index) : undefined
}

function whatItLacks(node: ExactJson, segment: PathSegment): string {
  if (segment.kind === 'name') {
    if (isExactObject(node)) return `has no ${pathText([segment])}`
    if (Array.isArray(node)) return 'is a list: write [0] for one element or [*] for every element'
    return `is ${kindOf(node)}`
  }
  if (Array.isArray(node)) return `has ${counted(node.length, 'element')}`
  return `is ${kindOf(node)}, not a list`
}

function placeAt(segments: readonly PathSegment[], at: readonly number[]): string {
  return segments.length === 0 ? 'The data' : pathTextAt(segments, at)
}
