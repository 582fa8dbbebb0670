/**
 * The `./custom-output` entry: reads what an endpoint answers in place of its upstream. The server uses it
 * to refuse invalid texts, the gateway to answer.
 */
import { parsePath } from '../mapping/paths/parse-path.ts'
import type { PathSegment } from '../mapping/paths/path-segments.ts'

const outputRoots = ['status', 'headers', 'body', 'params', 'query'] as const
export type OutputRoot = (typeof outputRoots)[number]

export const placeholdersMax = 1_000

/** Literal text, or a value of the call. */
export type OutputPart =
  | { kind: 'literal'; text: string }
  | {
      kind: 'value'
      segments: readonly PathSegment[]
      /** `json`: with its own type. `string`: within a JSON string. `text`: as it is. */
      mode: 'json' | 'string' | 'text'
      /** Parts that are written alike have the same place among the values of the template. */
      at: number
    }

export type CompiledOutput =
  /** Answered as it is; nothing is called. */
  | { kind: 'fixed'; contentType: string; body: string }
  | {
      kind: 'template'
      contentType: string
      parts: readonly OutputPart[]
      /** What its placeholders begin with. */
      roots: ReadonlySet<OutputRoot>
      /** A placeholder reaches into the body, which has to be JSON then. */
      isJsonBodyNeeded: boolean
    }
  | { kind: 'broken'; reason: string }

/** The next position of `needle` in `text` at or after `from`; -1 if there is none. */
type Search = (text: string, needle: string, from: number) => number

const indexIn: Search = (text, needle, from) => text.indexOf(needle, from)

const json = 'application/json; charset=utf-8'
const plain = 'text/plain; charset=utf-8'

/**
 * Reads a custom output: text without `{{path}}` is a fixed reply, any other a template over
 * `{status, headers, body, params, query}` of the call. In a JSON text a string that is one
 * placeholder, or a placeholder outside of strings, becomes the value with its type.
 *
 * The work is linear in the length of the text, whatever its content.
 */
export function compileOutput(text: string, search: Search = indexIn): CompiledOutput {
  return compile(text, search, false)
}

/** The same for a text that is no JSON, such as the value of a header: each value becomes text. */
export const compileText = (text: string): CompiledOutput => compile(text, indexIn, true)

function compile(text: string, search: Search, isPlain: boolean): CompiledOutput {
  try {
    const plainPieces = cutText(text, search)
    if (!plainPieces.some(({ kind }) => kind === 'text')) {
      return { kind: 'fixed', contentType: isJson(text) ? json : plain, body: text }
    }
    const jsonPieces = isPlain ? undefined : cutJson(text, search)
    const isJsonText = jsonPieces !== undefined && isJson(jsonPieces.map(standIn).join(''))
    const values = new Map<string, number>()
    const parts = (isJsonText ? jsonPieces : plainPieces).map((piece) => partOf(piece, values))
    const used = parts.flatMap((part) => (part.kind === 'value' ? [part.segments] : []))
    return {
      kind: 'template',
      contentType: isJsonText ? json : plain,
      parts,
      roots: new Set(used.flatMap((path) => rootOf(path) ?? [])),
      isJsonBodyNeeded: used.some((path) => rootOf(path) === 'body' && path.length > 1),
    }
  } catch (error) {
    return { kind: 'broken', reason: (error as Error).message }
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** `whole`: a JSON string that is one placeholder. `json`: outside of strings. */
interface Piece {
  kind: 'literal' | 'whole' | 'json' | 'string' | 'text'
  text: string
}

/** Finds one needle from left to right, and looks at each character once at most. */
class Finder {
  readonly #search: (from: number) => number
  #found = -1

  constructor(text: string, needle: string, search: Search) {
    this.#search = (from) => {
      const at = search(text, needle, from)
      return at === -1 ? Infinity : at
    }
  }

  /** Infinity: nowhere. Never asked for a place left of one asked for before. */
  from(at: number): number {
    if (this.#found < at) this.#found = this.#search(at)
    return this.#found
  }
}

class Pieces {
  readonly list: Piece[] = []
  #placeholders = 0

  add(kind: Piece['kind'], text: string): void {
    if (kind === 'literal') {
      if (text !== '') this.list.push({ kind, text })
      return
    }
    if (++this.#placeholders > placeholdersMax) {
      throw new Error(`There may be at most ${placeholdersMax} placeholders.`)
    }
    this.list.push({ kind, text })
  }
}

function cutText(text: string, search: Search): Piece[] {
  const pieces = new Pieces()
  const open = new Finder(text, '{{', search)
  const close = new Finder(text, '}}', search)
  cutPlaceholders(pieces, text, { from: 0, to: text.length, kind: 'text' }, open, close)
  return pieces.list
}

/** Undefined where a string or a placeholder outside of strings does not end: then the text is not JSON. */
function cutJson(text: string, search: Search): Piece[] | undefined {
  const pieces = new Pieces()
  const finder = (needle: string) => new Finder(text, needle, search)
  const [open, close, quote, backslash] = [finder('{{'), finder('}}'), finder('"'), finder('\\')]
  let at = 0
  for (;;) {
    const openAt = open.from(at)
    const quoteAt = quote.from(at)
    if (openAt === Infinity && quoteAt === Infinity) break
    pieces.add('literal', text.slice(at, Math.min(openAt, quoteAt)))
    if (openAt < quoteAt) {
      const closeAt = close.from(openAt + 2)
      if (closeAt === Infinity) return undefined
      pieces.add('json', text.slice(openAt + 2, closeAt))
      at = closeAt + 2
    } else {
      const end = endOfString(quoteAt, quote, backslash)
      if (end === Infinity) return undefined
      const isWhole = open.from(quoteAt) === quoteAt + 1 && close.from(quoteAt + 3) === end - 2
      if (isWhole) pieces.add('whole', text.slice(quoteAt + 3, end - 2))
      else
        cutPlaceholders(pieces, text, { from: quoteAt, to: end + 1, kind: 'string' }, open, close)
      at = end + 1
    }
  }
  pieces.add('literal', text.slice(at))
  return pieces.list
}

/** The quote that ends the string that begins at `start`. */
function endOfString(start: number, quote: Finder, backslash: Finder): number {
  let at = start + 1
  while (backslash.from(at) < quote.from(at)) at = backslash.from(at) + 2
  return quote.from(at)
}

function cutPlaceholders(
  pieces: Pieces,
  text: string,
  { from, to, kind }: { from: number; to: number; kind: 'string' | 'text' },
  open: Finder,
  close: Finder,
): void {
  let at = from
  for (;;) {
    const openAt = open.from(at)
    const closeAt = openAt < to ? close.from(openAt + 2) : Infinity
    if (closeAt >= to) break
    pieces.add('literal', text.slice(at, openAt))
    pieces.add(kind, text.slice(openAt + 2, closeAt))
    at = closeAt + 2
  }
  pieces.add('literal', text.slice(at, to))
}

/** What replaces a piece when the text is parsed as JSON. */
function standIn({ kind, text }: Piece): string {
  if (kind === 'literal') return text
  if (kind === 'whole') return '""'
  return kind === 'json' ? 'null' : ''
}

/** `values`: the place of each value so far. */
function partOf({ kind, text }: Piece, values: Map<string, number>): OutputPart {
  if (kind === 'literal') return { kind, text }
  const mode = kind === 'whole' ? 'json' : kind
  const segments = readPlaceholder(kind === 'whole' || kind === 'string' ? unescaped(text) : text)
  const key = `${mode} ${JSON.stringify(segments)}`
  const at = values.get(key) ?? values.size
  values.set(key, at)
  return { kind: 'value', segments, mode, at }
}

/** In a JSON string the quotes of a path are escaped. */
function unescaped(raw: string): string {
  try {
    return JSON.parse(`"${raw.replaceAll(/[\n\r\t]/g, ' ')}"`) as string
  } catch {
    throw new Error(`{{${raw.slice(0, 100)}}} holds an escape that JSON does not know.`)
  }
}

function readPlaceholder(path: string): readonly PathSegment[] {
  const parsed = parsePath(path, 'read')
  if (!parsed.ok) throw new Error(parsed.message)
  if (rootOf(parsed.segments) === undefined) {
    throw new Error(`{{${path.trim()}}} must begin with one of ${outputRoots.join(', ')}.`)
  }
  return parsed.segments
}

const rootOf = ([first]: readonly PathSegment[]) =>
  outputRoots.find((name) => first?.kind === 'name' && first.name === name)
