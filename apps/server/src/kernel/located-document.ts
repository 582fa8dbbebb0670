import { isAlias, isMap, isScalar, isSeq, LineCounter, type Document } from 'yaml'
import {
  readBoundedYaml,
  startOf,
  yamlBounds,
  yamlFaults,
  type YamlProblem,
} from './text/bounded-yaml.ts'

/** A message about one place of a document that a person has written. */
export interface DocumentNote {
  message: string
  /** JSON pointer (RFC 6901); blank: the whole document. */
  pointer: string
  /** From 1; null where the place is not known. */
  line: number | null
  column: number | null
}

export type Keys = readonly (string | number)[]

/** A value that was read, and where its parts are in the text. */
export interface LocatedDocument {
  value: unknown
  /** The place of a part; of the nearest one around it that is there. */
  note: (keys: Keys, message: string) => DocumentNote
}

type ReadDocument =
  | { ok: true; document: LocatedDocument }
  | { ok: false; problems: DocumentNote[] }

/** A refusal names at most this many problems. */
export const problemsMax = 20

/**
 * YAML 1.2 or JSON, for a thread: what is read takes seconds and hundreds of megabytes at the bounds. Repeated
 * keys, tags, and what is over the bounds are problems, each with its place.
 */
export function readLocated(text: string): ReadDocument {
  const lines = new LineCounter()
  try {
    const read = readBoundedYaml(text, lines)
    if (!read.ok) return { ok: false, problems: [placed(read.problem, lines)] }
    const { document } = read
    const found = problemsOf(document)
    if (found.length > 0) return { ok: false, problems: found.map((each) => placed(each, lines)) }
    const value: unknown = document.toJS({ maxAliasCount: yamlBounds.aliases })
    return { ok: true, document: { value, note: noter(document, lines) } }
  } catch (error) {
    return { ok: false, problems: [wholeProblem(error)] }
  }
}

const placed = ({ message, offset }: YamlProblem, lines: LineCounter): DocumentNote => ({
  message: message.trim(),
  pointer: '',
  ...placeOf(lines, offset),
})

function problemsOf(document: Document): YamlProblem[] {
  const own = [...document.errors, ...document.warnings].slice(0, problemsMax)
  if (own.length > 0) return own.map(({ message, pos: [offset] }) => ({ message, offset }))
  return yamlFaults(document, problemsMax)
}

function wholeProblem(error: unknown): DocumentNote {
  const isTooDeep = error instanceof RangeError
  const message = isTooDeep ? 'It is nested too deep.' : `It can't be read: ${String(error)}`
  return { message, pointer: '', line: null, column: null }
}

function placeOf(lines: LineCounter, offset: number) {
  const { line, col } = lines.linePos(offset)
  return line === 0 ? { line: null, column: null } : { line, column: col }
}

const noter =
  (document: Document, lines: LineCounter): LocatedDocument['note'] =>
  (keys, message) => {
    const offset = offsetOf(document, keys)
    const place = offset === undefined ? { line: null, column: null } : placeOf(lines, offset)
    return { message, pointer: toPointer(keys), ...place }
  }

/** Where the key of a part begins, or the part itself in a list. */
function offsetOf(document: Document, keys: Keys): number | undefined {
  let node: unknown = document.contents
  let offset = startOf(node)
  for (const key of keys) {
    if (isAlias(node)) node = node.resolve(document)
    const found = partOf(node, key)
    if (!found) break
    offset = startOf(found.place) ?? offset
    node = found.value
  }
  return offset
}

function partOf(node: unknown, key: string | number) {
  if (isMap(node)) {
    const pair = node.items.find(
      ({ key: name }) => isScalar(name) && String(name.value) === `${key}`,
    )
    return pair && { place: pair.key, value: pair.value }
  }
  const item = isSeq(node) ? node.items[Number(key)] : undefined
  return item === undefined ? undefined : { place: item, value: item }
}

/** RFC 6901. */
const toPointer = (keys: Keys) =>
  keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** A note in words: its place first. */
export function noteInWords({ message, pointer, line, column }: DocumentNote): string {
  const at = line === null ? '' : `Line ${line}, column ${column}`
  const place = [at, pointer === '' ? '' : at === '' ? pointer : `(${pointer})`]
  const words = place.filter((part) => part !== '').join(' ')
  return words === '' ? message : `${words}: ${message}`
}
