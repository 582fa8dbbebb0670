import { toObject } from '../../lib/kept-json.ts'
import { newWorkflowValues, type WorkflowFormValues } from './workflow-form-values.ts'
import { blankStep } from './workflow-step-draft.ts'

/** What the Tax and Credit screens hand over to be saved as a workflow. */
interface BundleDraft {
  kind: 'tax' | 'credit'
  steps: { endpoint: string | null; body: string }[]
  /** Step 2 takes values from the answer of step 1 by a dependency field, which workflows do not have. */
  isDependent: boolean
}

/** The draft in the state of the address, or undefined. An older tab may have written anything. */
export function readBundleDraft(state: unknown): BundleDraft | undefined {
  const draft = toObject(toObject(state)['bundle'])
  const { kind, steps } = draft
  if ((kind !== 'tax' && kind !== 'credit') || !Array.isArray(steps)) return undefined
  return {
    kind,
    isDependent: draft['isDependent'] === true,
    steps: steps.map((step: unknown) => {
      const { endpoint, body } = toObject(step)
      return {
        endpoint: typeof endpoint === 'string' ? endpoint : null,
        body: typeof body === 'string' ? body : '',
      }
    }),
  }
}

export function valuesOfBundle({ kind, steps }: BundleDraft): WorkflowFormValues {
  const used = steps.filter(({ endpoint, body }) => endpoint !== null || body.trim() !== '')
  const drafts = used.map(({ endpoint, body }) =>
    blankStep({
      endpoint_id: endpoint,
      body: { kind: body.trim() === '' ? 'none' : 'template', text: body, rows: [] },
    }),
  )
  const blank = newWorkflowValues()
  return { ...blank, kind, steps: drafts.length === 0 ? blank.steps : drafts }
}
