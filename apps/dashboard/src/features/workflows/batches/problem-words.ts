import type { BatchProblem, FieldErrors } from '@gatehouse/contract'

/** One thing that is wrong with a row. */
export interface RowProblem {
  row: number
  /** The field as it is written in mappings and headers, `lines[0].qty`; blank for the whole row. */
  field: string
  message: string
  /** Null: it has none, or can’t be read. */
  reference: string | null
  /** The line of a CSV file; null for others. */
  fileLine: number | null
}

/** The problems of rows, one message each. */
export const problemsOf = (problems: readonly BatchProblem[]): RowProblem[] =>
  problems.flatMap(({ line, errors, reference = null, file_line: fileLine = null }) =>
    Object.entries(errors).flatMap(([place, messages]) =>
      messages.map((message) => ({
        row: line,
        field: fieldOf(place),
        message,
        reference,
        fileLine,
      })),
    ),
  )

/** The same fault in several rows. */
interface SameFault {
  field: string
  /** Of the first row. */
  message: string
  rows: RowProblem[]
}

/** Faults of the same field that differ in values alone, in the order of the first of each. */
export function groupFaults(problems: readonly RowProblem[]): SameFault[] {
  const groups = Map.groupBy(
    problems,
    ({ field, message }) => `${field}\n${message.replaceAll(/"[^"]*"|\d+/g, '…')}`,
  )
  return [...groups.values()].map((rows) => {
    const { field, message } = rows[0]!
    return { field, message, rows }
  })
}

/** The problems in a refusal, which names them `line 3 /total`. Undefined where it names others. */
export function problemsInRefusal(errors: FieldErrors): RowProblem[] | undefined {
  const problems = Object.entries(errors).map(([name, messages]) => {
    const [, row, place = ''] = /^line (\d+)(?: (.*))?$/.exec(name) ?? []
    return row === undefined ? undefined : { line: Number(row), errors: { [place]: messages } }
  })
  return problems.every((problem) => problem !== undefined) ? problemsOf(problems) : undefined
}

/** A JSON pointer (RFC 6901) as a path. Names that are none stay as they are. */
function fieldOf(place: string): string {
  if (place === 'input') return ''
  if (!place.startsWith('/')) return place
  const names = place
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce((path, name) => {
    if (/^\d+$/.test(name)) return `${path}[${name}]`
    return path === '' ? name : `${path}.${name}`
  }, '')
}
