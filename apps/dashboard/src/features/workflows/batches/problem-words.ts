import type { BatchProblem, FieldErrors } from '@gatehouse/contract'

/** One thing that is wrong with a row. */
export interface RowProblem {
  row: number
  /** The field as it is written in mappings and headers, `lines[0].qty`; blank for the whole row. */
  field: string
  message: string
}

/** The problems of rows, one message each. */
export const problemsOf = (problems: readonly BatchProblem[]): RowProblem[] =>
  problems.flatMap(({ line, errors }) =>
    Object.entries(errors).flatMap(([place, messages]) =>
      messages.map((message) => ({ row: line, field: fieldOf(place), message })),
    ),
  )

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
