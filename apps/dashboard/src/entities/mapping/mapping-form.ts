import {
  isExactObject,
  mappingLimits,
  ownValue,
  parseExact,
  parsePath,
  pathOfValue,
  pathText,
  toMappingRows,
  type ExactJson,
  type JsonProblem,
  type MappingRow,
  type PathSegment,
} from '@gatehouse/contract/mapping'
import { newUuid } from '../../lib/calls/new-uuid.ts'
import { jsonProblemOf } from '../../lib/format/json-problem.ts'

/** A row of the editor; its id only tells rows apart while they move. */
export interface FormRow extends MappingRow {
  id: string
  /** What From reads from, where there is a choice. */
  source?: string
}

/** One of the things that From can read from. */
export interface SourceChoice {
  value: string
  label: string
}

export const maxRows = mappingLimits.rows

export function newRow(fields: Partial<Omit<FormRow, 'id'>> = {}): FormRow {
  return { id: newId(), from: '', to: '', custom_input: '', type: 'auto', ...fields }
}

/** Unlike any other, also of rows that a page kept before its reload. */
const newId = () => `row-${newUuid()}`

export function isBlankRow(row: MappingRow): boolean {
  return row.from === '' && row.to === '' && row.custom_input === ''
}

/** Named as on the wire (spec: mapping-row). */
export function toWireRows(rows: readonly FormRow[]): MappingRow[] {
  return rows.map(({ id: _, ...row }) => row)
}

/** wire: the list travels as JSON text. */
export function rowsToText(rows: readonly FormRow[], indent?: number): string {
  return JSON.stringify(toWireRows(rows), null, indent)
}

type ParsedRows =
  | { ok: true; rows: FormRow[] }
  | { ok: false; problem: Pick<JsonProblem, 'message'> & { line?: number; column?: number } }

/**
 * Rows typed or pasted as JSON text; blank is none. Refused whole when any of it is wrong, or would be lost:
 * `source` is a field only where there is a choice of it.
 */
export function rowsFromText(text: string, { hasSources = false } = {}): ParsedRows {
  if (text.trim() === '') return { ok: true, rows: [] }
  const problem = jsonProblemOf(text)
  if (problem) return { ok: false, problem }
  const list = parseExact(text)
  const { rows, errors } = toMappingRows(list)
  const [first = wrongField(list, hasSources)] = errors
  if (first) return { ok: false, problem: { message: `Row ${first.row + 1}: ${first.message}` } }
  if (rows.length > maxRows) {
    const message = `There are ${rows.length} rows; at most ${maxRows} are possible.`
    return { ok: false, problem: { message } }
  }
  const sources = sourcesOf(list)
  return {
    ok: true,
    rows: rows.map((row, at) =>
      newRow({ ...row, type: row.type || 'auto', ...(sources[at] && { source: sources[at] }) }),
    ),
  }
}

const fields = ['from', 'to', 'custom_input', 'type']

/** The first row with fields that no row has, or a source that is not text. */
function wrongField(
  list: ExactJson,
  hasSources: boolean,
): { row: number; message: string } | undefined {
  if (!Array.isArray(list)) return undefined
  const known = hasSources ? ['source', ...fields] : fields
  for (const [row, element] of list.entries()) {
    const stray = Object.keys(element ?? {}).filter((name) => !known.includes(name))
    if (stray.length === 0) {
      if (typeof (sourceOf(element) ?? '') === 'string') continue
      return { row, message: '"source" must be text in quotes.' }
    }
    const names = stray.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 60)))
    return { row, message: `there is no field ${names.join(', ')}. Use ${known.join(', ')}.` }
  }
  return undefined
}

/** The source of each row of a list of rows; undefined where it names none. */
function sourcesOf(list: ExactJson): (string | undefined)[] {
  if (!Array.isArray(list)) return []
  return list.map((row) => {
    const source = sourceOf(row)
    return typeof source === 'string' ? source : undefined
  })
}

const sourceOf = (row: ExactJson) => (isExactObject(row) ? ownValue(row, 'source') : undefined)

/** The row for a value that was picked: From its path, To its last name, unless that is taken. */
export function rowForValue(path: readonly (string | number)[], rows: readonly FormRow[]): FormRow {
  const names = path.filter((key) => typeof key === 'string')
  return newRow({ from: pathOfValue(path), to: freeTarget(names.at(-1) ?? 'value', rows) })
}

/** A row for each place of the data, which puts it where it was; what To has already is left out. */
export function rowsByName(paths: readonly string[], rows: readonly FormRow[]): FormRow[] {
  const taken = new Set(rows.map((row) => row.to.trim()))
  return paths
    .filter((path) => !taken.has(path) && parsePath(path, 'write').ok)
    .slice(0, maxRows - rows.length)
    .map((path) => newRow({ from: path, to: path }))
}

function freeTarget(name: string, rows: readonly FormRow[]): string {
  const taken = new Set(rows.map((row) => row.to.trim()))
  const wanted = parsePath(pathOfValue([name]), 'write').ok ? name : 'value'
  let target = pathOfValue([wanted])
  for (let count = 2; taken.has(target); count += 1) target = pathOfValue([`${wanted}_${count}`])
  return target
}

/**
 * The other reading of a row whose From goes through a list: one element becomes every element (`[*]`),
 * on both sides, and every element becomes the first. Undefined where the path goes through none, or is
 * no path.
 */
export function toggleEveryElement({
  from,
  to,
}: Pick<MappingRow, 'from' | 'to'>): { from: string; to: string; isEvery: boolean } | undefined {
  const parsed = parsePath(from, 'read')
  if (!parsed.ok) return undefined
  const { segments } = parsed
  const isEvery = segments.some(({ kind }) => kind === 'index')
  if (!isEvery && !segments.some(({ kind }) => kind === 'all')) return undefined
  const toggled = segments.map((segment) => {
    if (segment.kind === 'name') return segment
    return isEvery ? ({ kind: 'all' } as const) : ({ kind: 'index', index: 0 } as const)
  })
  return {
    from: pathText(toggled),
    to: isEvery ? everyTarget(segments, to) : oneTarget(to),
    isEvery,
  }
}

/** A To without list gets the lists of From before it: `sku` for `items[0].sku` is `items[*].sku`. */
function everyTarget(from: readonly PathSegment[], to: string): string {
  const parsed = parsePath(to, 'write')
  if (!parsed.ok || parsed.segments.some(({ kind }) => kind !== 'name')) return to
  const last = from.findLastIndex(({ kind }) => kind !== 'name')
  const lists = from
    .slice(0, last + 1)
    .map((segment) => (segment.kind === 'name' ? segment : ({ kind: 'all' } as const)))
  const begin = lists.findIndex(({ kind }) => kind === 'all')
  // What leads to the outermost list has no place in the result; its own name has.
  const named = lists.slice(Math.max(begin - 1, 0))
  return pathText([...named, ...(last === from.length - 1 ? [] : parsed.segments)])
}

/** A To that only goes through whole lists gets what is after the last of them. */
function oneTarget(to: string): string {
  const parsed = parsePath(to, 'write')
  if (!parsed.ok) return to
  const rest = parsed.segments.slice(
    parsed.segments.findLastIndex(({ kind }) => kind === 'all') + 1,
  )
  return rest.length === 0 ? to.replaceAll('[*]', '') : pathText(rest)
}

/**
 * The rows with these, in their order, moved so that the one of this id comes to a place, from 0, or as near as
 * the others let it; the same rows where nothing would change.
 */
export function moveRows(
  rows: FormRow[],
  moved: ReadonlySet<string>,
  id: string,
  place: number,
): FormRow[] {
  const at = rows.findIndex((row) => row.id === id)
  if (at < 0 || at === place || place < 0 || place >= rows.length) return rows
  const group = rows.filter((row) => moved.has(row.id))
  const others = rows.filter((row) => !moved.has(row.id))
  const within = group.findIndex((row) => row.id === id)
  const start = Math.min(Math.max(place - within, 0), others.length)
  const next = others.toSpliced(start, 0, ...group)
  return next.every((row, index) => row === rows[index]) ? rows : next
}
