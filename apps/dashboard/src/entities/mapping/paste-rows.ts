import { mappingRowProblems } from '@gatehouse/contract/mapping'
import { unguarded } from './mapping-csv.ts'
import { newRow, type FormRow } from './mapping-form.ts'

interface PastedRows {
  rows: FormRow[]
  refused: { line: number; text: string; reason: string }[]
}

const byPlace = ['from', 'to', 'custom_input', 'type'] as const
type Column = (typeof byPlace)[number]

/** What the first line may call the columns. */
const names = new Map<string, Column>([
  ['from', 'from'],
  ['to', 'to'],
  ['value', 'custom_input'],
  ['custom_input', 'custom_input'],
  ['type', 'type'],
])

/**
 * Rows as a spreadsheet copies them: From, To, and if there are more cells Custom Input and Type. A first line of
 * these names says another order. A line that can't be a row is refused by itself; the others are taken as far as
 * there is room.
 */
export function rowsFromCells(
  text: string,
  { room, blank = {} }: { room: number; blank?: Partial<Omit<FormRow, 'id'>> },
): PastedRows {
  const [first, ...others] = linesOf(text)
  if (!first) return { rows: [], refused: [] }
  const head = columnsOf(first.cells)
  const pasted: PastedRows = { rows: [], refused: [] }
  for (const { line, cells } of head ? others : [first, ...others]) {
    const at = (column: Column) => unguarded(cells[(head ?? byPlace).indexOf(column)] ?? '').trim()
    const row = newRow({
      ...blank,
      from: at('from'),
      to: at('to'),
      custom_input: at('custom_input'),
      type: at('type') || 'auto',
    })
    const [problem] = mappingRowProblems(row)
    const reason = problem?.message ?? (pasted.rows.length < room ? undefined : 'There is no room.')
    if (reason === undefined) pasted.rows.push(row)
    else pasted.refused.push({ line, text: cells.join(' · '), reason })
  }
  return pasted
}

/** The columns that a first line of names is for; undefined where it is no such line. */
function columnsOf(cells: readonly string[]): (Column | undefined)[] | undefined {
  const columns = cells.map((cell) => names.get(cell.trim().toLowerCase().replaceAll(' ', '_')))
  return columns.includes('from') && columns.includes('to') ? columns : undefined
}

/** Tabs between cells. One with a tab, a quote at its start or a line end in it is in quotes, its own doubled. */
function linesOf(text: string): { line: number; cells: string[] }[] {
  const token = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/gy
  const lines = [{ line: 1, cells: [] as string[] }]
  let line = 1
  for (const [all, quoted, plain = '', end] of text.matchAll(token)) {
    lines.at(-1)?.cells.push(quoted?.replaceAll('""', '"') ?? plain)
    line += all.split(/\r\n|\r|\n/).length - 1
    if (end !== '\t') lines.push({ line, cells: [] })
  }
  return lines.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
}
