import type { MappingRow } from '@gatehouse/contract/mapping'
import { maxRows, newRow, type FormRow } from './mapping-form.ts'

/** The columns, in the order in which they are written; they are read in any order. */
const columns = ['from', 'to', 'custom_input', 'type'] as const
type Column = (typeof columns)[number] | 'source'

const signs = '=+\\-@＝＋－＠﹢﹣﹦﹫−'
const blanks = ' "\\u00a0\\u200b\\ufeff\\0'
const separators = ';\\t\\r\\n'
// A spreadsheet splits at whatever its language says, and takes what begins with a sign for a formula.
const formula = new RegExp(`(^|[${separators}])(?=[${blanks}]*['${signs}])`, 'g')
const guarded = new RegExp(`(^|[${separators}])'(?=[${blanks}]*['${signs}])`, 'g')

/** The rows as CSV (RFC 4180) with a line of names; no cell is a formula, and reading it back gives the same rows. */
export function rowsToCsv(rows: readonly FormRow[]): string {
  const hasSources = rows.some(({ source }) => source !== undefined)
  const names: Column[] = hasSources ? ['source', ...columns] : [...columns]
  const lines = rows.map((row) => names.map((name) => cell(row[name] ?? '')).join(','))
  return [names.join(','), ...lines].map((line) => `${line}\r\n`).join('')
}

const cell = (text: string): string =>
  text === '' ? '' : `"${text.replace(formula, "$1'").replaceAll('"', '""')}"`

/** A cell without the apostrophe that kept it from being a formula. */
export const unguarded = (cell: string): string => cell.replace(guarded, '$1')

type ReadCsv = { ok: true; rows: FormRow[] } | { ok: false; problems: string[] }

const shownProblems = 10

/** Reads rows from CSV with commas, semicolons or tabs. Refused whole, with what is wrong in each line. */
export function rowsFromCsv(text: string): ReadCsv {
  const records = recordsOf(text.replace(/^\uFEFF/, ''))
  if (typeof records === 'string') return { ok: false, problems: [records] }
  const [head, ...lines] = records.filter(({ cells }) => cells.some((each) => each.trim() !== ''))
  if (!head) return { ok: false, problems: ['The file is empty.'] }
  const names = head.cells.map((name) => name.trim().toLowerCase().replaceAll(' ', '_'))
  const problems = headProblems(names)
  if (problems.length > 0) return { ok: false, problems }
  if (lines.length > maxRows) {
    return {
      ok: false,
      problems: [`The file has ${lines.length} rows; at most ${maxRows} are possible.`],
    }
  }
  const tooLong = lines.flatMap(({ line, cells }) =>
    cells.length > names.length
      ? [`Line ${line}: it has ${cells.length} cells, and the first line names ${names.length}.`]
      : [],
  )
  if (tooLong.length > 0) return { ok: false, problems: tooLong.slice(0, shownProblems) }
  return { ok: true, rows: lines.map(({ cells }) => toRow(names, cells)) }
}

function headProblems(names: readonly string[]): string[] {
  const known = new Set<string>(['source', ...columns])
  const unknown = names.filter((name) => !known.has(name))
  const twice = names.filter((name, at) => names.indexOf(name) !== at)
  return [
    ...unknown.map(
      (name) =>
        `Line 1: there is no column ${JSON.stringify(name.slice(0, 60))}. Use ${columns.join(', ')}.`,
    ),
    ...twice.map((name) => `Line 1: the column ${name} is there twice.`),
    ...(names.includes('to') ? [] : ['Line 1: the column to is missing.']),
  ].slice(0, shownProblems)
}

function toRow(names: readonly string[], cells: readonly string[]): FormRow {
  const at = (name: Column) => unguarded(cells[names.indexOf(name)] ?? '')
  const fields: MappingRow = {
    from: at('from'),
    to: at('to'),
    custom_input: at('custom_input'),
    type: at('type') || 'auto',
  }
  const source = at('source')
  return newRow(source === '' ? fields : { ...fields, source })
}

interface CsvRecord {
  /** Where it begins, from 1. */
  line: number
  cells: string[]
}

/** The records of a CSV text; a sentence where a quote is out of place. */
function recordsOf(text: string): CsvRecord[] | string {
  const separator = separatorOf(text)
  const token = new RegExp(
    `"((?:[^"]|"")*)"|[^"${separator}\\r\\n]+|[${separator}]|\\r\\n|\\r|\\n`,
    'y',
  )
  const records: CsvRecord[] = [{ line: 1, cells: [''] }]
  let line = 1
  let hasCell = false
  while (token.lastIndex < text.length) {
    const record = records.at(-1)
    const [piece, quoted] = token.exec(text) ?? []
    if (!record || piece === undefined) return `Line ${line}: a quote is not closed.`
    if (piece === separator) {
      record.cells.push('')
      hasCell = false
    } else if (/^[\r\n]/.test(piece)) {
      line += 1
      records.push({ line, cells: [''] })
      hasCell = false
    } else {
      if (hasCell) return `Line ${line}: text follows a quoted cell.`
      record.cells[record.cells.length - 1] = quoted?.replaceAll('""', '"') ?? piece
      hasCell = true
      line += piece.split(/\r\n|\r|\n/).length - 1
    }
  }
  return records
}

/** What the first line separates its names with. */
function separatorOf(text: string): string {
  const head = /^[^\r\n]*/.exec(text)?.[0] ?? ''
  return [',', ';', '\t'].find((each) => head.includes(each)) ?? ','
}
