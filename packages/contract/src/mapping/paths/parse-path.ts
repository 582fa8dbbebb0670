import { mappingLimits } from '../mapping-limits.ts'
import { opensFilter, readFilter } from './path-filter.ts'
import { readBracket, type PathStep } from './path-brackets.ts'
import { numberLikeName, plainName } from './path-segments.ts'
import type { PathSegment } from './path-segments.ts'
import { shorten } from '../show-value.ts'

/**
 * Reading allows indexes from the end (`[-1]`); writing refuses them and names with a meaning. A row's
 * From takes filters too (`[?@.type=="VAT"]`).
 */
export type PathUse = 'read' | 'write' | 'from'

export type ParsedPath = { ok: true; segments: PathSegment[] } | { ok: false; message: string }

/** Writing to these could reach the prototype of an object in whatever reads the result. */
const refusedNames = new Set(['__proto__', 'prototype', 'constructor'])

/**
 * Reads a path: RFC 9535 limited to names, indexes and `[*]`, with dotted shorthand that may leave
 * out the leading `$`: `a.b[0].c`, `items[*].sku`, `$['k.ey']`. `$` alone is the whole document.
 * A refusal is a sentence that names the path.
 */
export function parsePath(text: string, use: PathUse): ParsedPath {
  const path = text.trim()
  const fail = (message: string): ParsedPath => ({
    ok: false,
    message: `The path ${shorten(JSON.stringify(path))} cannot be used: ${message}`,
  })
  if (path === '') return { ok: false, message: 'The path is empty.' }
  if (path.length > mappingLimits.pathLength) {
    return fail(`it is longer than ${mappingLimits.pathLength} characters.`)
  }
  const segments: PathSegment[] = []
  let position = 0
  if (path.startsWith('$')) {
    if (!/^\$(?:$|[.[])/.test(path)) {
      return fail('after the $ there must be a dot, a bracket or nothing.')
    }
    position = 1
  }
  while (position < path.length) {
    const step = readStep(path, position, use)
    if (!step.ok) return fail(step.message)
    const refusal = use === 'write' ? refuseWriting(step.segment) : undefined
    if (refusal !== undefined) return fail(refusal)
    segments.push(step.segment)
    position = step.end
  }
  if (segments.length > mappingLimits.depth) {
    return fail(`it goes more than ${mappingLimits.depth} levels deep.`)
  }
  return { ok: true, segments }
}

function readStep(path: string, position: number, use: PathUse): PathStep {
  if (path[position] !== '[') return readName(path, position)
  const isFilter = use === 'from' && opensFilter(path, position)
  return isFilter ? readFilter(path, position) : readBracket(path, position)
}

function refuseWriting(segment: PathSegment): string | undefined {
  if (segment.kind === 'name' && refusedNames.has(segment.name)) {
    return `the name ${segment.name} is refused, because it has a meaning of its own in JavaScript.`
  }
  if (segment.kind === 'index' && segment.index < 0) {
    return 'an index that counts from the end can be read, but not written.'
  }
  if (segment.kind === 'index' && segment.index >= mappingLimits.elements) {
    return `a list may have at most ${mappingLimits.elements} elements, so the last index is ${mappingLimits.elements - 1}.`
  }
  return undefined
}

/** A plain name: after a dot, or at the very start. */
function readName(path: string, position: number): PathStep {
  const isFirst = position === 0
  const start = path[position] === '.' && !isFirst ? position + 1 : position
  if (start === position && !isFirst) {
    return refuse(
      `a dot or a bracket is missing before ${shorten(JSON.stringify(path.slice(position)), 20)}.`,
    )
  }
  plainName.lastIndex = start
  const name = plainName.exec(path)?.[0] ?? ''
  const end = start + name.length
  const next = path[end]
  if (next !== undefined && (name === '' || (next !== '.' && next !== '['))) {
    return refuse(explainName(path, start, end))
  }
  if (name === '') return refuse('a name is missing after the last dot.')
  if (numberLikeName.test(name)) {
    return refuse(`write [${name}] for an element of a list, or ['${name}'] for a key.`)
  }
  return { ok: true, segment: { kind: 'name', name }, end }
}

function explainName(path: string, start: number, end: number): string {
  const next = path[end]
  if (end === start) {
    if (next === '.' && start > 0)
      return 'two dots in a row (a search at any depth) are not supported.'
    if (next === '.') return 'it must start with a name, a bracket or a $.'
    if (next === '[') return 'leave out the dot before the bracket.'
    if (next === '*') return 'write [*] for every element of a list.'
  }
  if (next === ']') return '"]" is not expected here.'
  if (next === '(') return 'functions are not supported here.'
  const written = /^[^.[\]]*/.exec(path.slice(start))?.[0] ?? ''
  if (written.includes("'") || written.includes('"')) return 'put a name in quotes inside brackets.'
  return `write ['${written}'] around a name with special characters.`
}

function refuse(message: string): PathStep {
  return { ok: false, message }
}
