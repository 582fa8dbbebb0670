import { newRow, type FormRow } from '../../entities/mapping/mapping-form.ts'
import { textOr, toObject } from '../../lib/browser/kept-json.ts'
import { newWorkflowValues, type WorkflowFormValues } from './workflow-form-values.ts'
import { blankStep } from './workflow-step-draft.ts'

/** What Tax, Credit and Build Request (`general`) hand over to be saved as a workflow. */
interface BundleDraft {
  kind: 'tax' | 'credit' | 'general'
  /** `rows` make the body where none is typed; they read the answer of the step before. */
  steps: { endpoint: string | null; body: string; rows: FormRow[] }[]
  /** Step 2 takes values from the answer of step 1 by a dependency field, which workflows do not have. */
  isDependent: boolean
}

/** The draft in the state of the address, or undefined. An older tab may have written anything. */
export function readBundleDraft(state: unknown): BundleDraft | undefined {
  const draft = toObject(toObject(state)['bundle'])
  const { kind, steps } = draft
  if ((kind !== 'tax' && kind !== 'credit' && kind !== 'general') || !Array.isArray(steps))
    return undefined
  return {
    kind,
    isDependent: draft['isDependent'] === true,
    steps: steps.map((step: unknown, at) => {
      const { endpoint, body, rows } = toObject(step)
      return {
        endpoint: typeof endpoint === 'string' ? endpoint : null,
        body: textOr(body, ''),
        rows: Array.isArray(rows) ? rows.map((row) => toRow(row, at)) : [],
      }
    }),
  }
}

function toRow(kept: unknown, stepsBefore: number): FormRow {
  const row = toObject(kept)
  return newRow({
    from: textOr(row['from'], ''),
    to: textOr(row['to'], ''),
    custom_input: textOr(row['custom_input'], ''),
    type: textOr(row['type'], 'auto'),
    source: stepsBefore === 0 ? 'input' : `steps.${stepsBefore}.body`,
  })
}

export function valuesOfBundle({ kind, steps }: BundleDraft): WorkflowFormValues {
  const used = steps.filter(
    ({ endpoint, body, rows }) => endpoint !== null || body.trim() !== '' || rows.length > 0,
  )
  const drafts = used.map(({ endpoint, body, rows }) => {
    // A body that is typed wins over the rows, as in Build Request.
    const madeOf = rows.length > 0 ? 'mapping' : 'none'
    return blankStep({
      endpoint_id: endpoint,
      body: { kind: body.trim() === '' ? madeOf : 'template', text: body, rows },
    })
  })
  const blank = newWorkflowValues()
  return { ...blank, kind, steps: drafts.length === 0 ? blank.steps : drafts }
}
