import type { RowProblem } from '../../../entities/mapping/mapping-editor.tsx'

const fields: readonly RowProblem['field'][] = ['source', 'from', 'to', 'type', 'custom_input']

/**
 * The problems of mapping rows of a step, from messages by field: `steps.0.body.rows.1.from` of the form,
 * or `body.rows.1.from` of the step itself. Later messages come first at a field.
 */
export function rowProblemsOf(position: number, messages: Record<string, unknown>): RowProblem[] {
  return Object.entries(messages).flatMap(([name, said]) => {
    const message: unknown = Array.isArray(said) ? said[0] : said
    const [, step, row, field] =
      /^(?:steps\.(\d+)\.)?(?:body\.)?rows\.(\d+)(?:\.(\w+))?$/.exec(name) ?? []
    if (row === undefined || typeof message !== 'string') return []
    if (step !== undefined && Number(step) !== position - 1) return []
    return [{ row: Number(row), field: fields.find((known) => known === field) ?? 'rows', message }]
  })
}
