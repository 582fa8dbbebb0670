import type { FieldErrors } from '@gatehouse/contract'
import { isExactObject, mapData, parsePath, stringifyExact } from '@gatehouse/contract/mapping'
import type { ExactJson, MappingRow } from '@gatehouse/contract/mapping'
import { parse } from 'csv-parse'
import { AppError, fieldError } from '../../../../kernel/app-error.ts'
import type { CsvHeader, RawInput, RowPlace } from './raw-input.ts'

/** The longest row, in characters. */
const rowMaxCharacters = 1024 * 1024

/**
 * Inputs from CSV (RFC 4180). The header row names places of the input, like `customer.name` or
 * `lines[0].qty`. The input schema decides which cells are numbers, booleans or JSON; all others are
 * text. Blank cells are left out. Throws a 422 for a header that can't be used.
 */
export async function* readCsv(
  pieces: AsyncIterable<string>,
  schema: unknown,
  onHeader: (header: CsvHeader) => void = () => {},
): AsyncGenerator<RawInput> {
  const parser = parse({
    bom: true,
    skip_empty_lines: true,
    // Such a row is a problem of its own: the others are read.
    relax_column_count: true,
    max_record_size: rowMaxCharacters,
    info: true,
  })
  // Rejects never. After a refusal it ends with the next piece, for which nobody waits.
  void feed(parser, pieces)
  let columns: { to: string; type: string }[] | undefined
  let line = 0
  let before: RowInfo = { bytes: 0, lines: 0, empty_lines: 0 }
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRow>) {
      const place = placeOf(record, before, info)
      before = { ...info }
      if (columns) yield { ...toInput(++line, columns, record), place }
      else {
        columns = columnsOf(record, schema)
        onHeader({ columns: columns.map(({ to }) => to), bytes: info.bytes })
      }
    }
  } catch (error) {
    throw error instanceof AppError ? error : malformed(error)
  } finally {
    parser.destroy()
  }
  if (!columns) throw fieldError({ header: ['The file has no header row.'] })
}

/** What is read once a row is there. */
interface RowInfo {
  bytes: number
  lines: number
  empty_lines: number
}

interface ParsedRow {
  record: string[]
  info: RowInfo
}

const placeOf = (cells: readonly string[], before: RowInfo, info: RowInfo): RowPlace => ({
  // The parser says where it ends.
  fileLine: before.lines + 1 + info.empty_lines - before.empty_lines,
  range: [before.bytes, info.bytes],
  cells,
})

async function feed(parser: ReturnType<typeof parse>, pieces: AsyncIterable<string>) {
  try {
    for await (const piece of pieces) {
      if (parser.destroyed) return
      if (!parser.write(piece)) await drained(parser)
    }
    parser.end()
  } catch (error) {
    parser.destroy(error as Error)
  }
}

/** Resolves once it takes more, or is destroyed. */
function drained(parser: ReturnType<typeof parse>): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      parser.off('drain', done).off('close', done)
      resolve()
    }
    parser.on('drain', done).on('close', done)
  })
}

function columnsOf(header: readonly string[], schema: unknown) {
  const names = header.map((name) => name.trim())
  const problems = names.flatMap((name, index) => {
    const parsed = parsePath(name, 'write')
    if (!parsed.ok) return [`Column ${index + 1} (${name}): ${parsed.message}`]
    if (name.includes('[*]')) return [`Column ${index + 1} (${name}): name one place, without [*].`]
    return names.indexOf(name) < index ? [`The column ${name} is there twice.`] : []
  })
  if (problems.length > 0) throw fieldError({ header: problems })
  return names.map((to) => ({ to, type: typeAt(schema, to) }))
}

function toInput(
  line: number,
  columns: readonly { to: string; type: string }[],
  row: readonly string[],
): RawInput {
  if (row.length !== columns.length) return { line, errors: { '': [raggedRow(row, columns)] } }
  const rows = columns.flatMap(({ to, type }, index): MappingRow[] => {
    const cell = row[index] ?? ''
    return cell === '' ? [] : [{ from: '', to, custom_input: cell, type }]
  })
  const { mapped, errors } = mapData({}, rows)
  if (errors.length === 0) return { line, text: stringifyExact(mapped) }
  const problems = errors.map((error): FieldErrors => ({
    [rows[error.row]?.to ?? 'row']: [error.message],
  }))
  return { line, errors: Object.assign({}, ...problems) as FieldErrors }
}

const cells = (count: number) => (count === 1 ? '1 cell' : `${count} cells`)

const raggedRow = (row: readonly unknown[], columns: readonly unknown[]) =>
  `The row has ${cells(row.length)} and the header ${columns.length}. A cell that holds a comma needs quotes.`

const mappingTypeOf: Record<string, string> = {
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
  array: 'json',
  object: 'json',
}

/** The mapping type of a place, as far as the schema says it by `properties` and `items`. */
function typeAt(schema: unknown, path: string): string {
  const parsed = parsePath(path, 'write')
  let place: unknown = schema
  for (const segment of parsed.ok ? parsed.segments : []) {
    if (!isObject(place)) return 'string'
    place =
      segment.kind === 'name'
        ? isObject(place['properties'])
          ? place['properties'][segment.name]
          : undefined
        : place['items']
  }
  if (!isObject(place)) return 'string'
  const types = [place['type']].flat().filter((type) => type !== 'null')
  return types.length === 1 ? (mappingTypeOf[String(types[0])] ?? 'string') : 'string'
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  isExactObject(value as ExactJson)

const malformed = (cause: unknown) =>
  new AppError('request.malformed', {
    message: `The file is not CSV: ${cause instanceof Error ? cause.message : 'it can’t be read'}`,
    cause,
  })
