import type { WorkflowPreviewStep } from '@gatehouse/contract'
import type { StepDraft } from '../workflow-step-draft.ts'
import { resultOf, type LivePreview } from './use-workflow-preview.ts'

/** How a part of a workflow is, in a word and a colour of the theme. */
export interface StepState {
  word: string
  color: string
}

export const resultWords: Record<WorkflowPreviewStep['what'], StepState> = {
  send: { word: 'Would be sent', color: 'green' },
  waits: { word: 'Waits for an answer', color: 'blue' },
  skip: { word: 'Would be skipped', color: 'gray' },
  refused: { word: 'Would be refused', color: 'red' },
}

const wrong: StepState = { word: 'To be mended', color: 'red' }

/** Of a step on the sample; undefined while that is not known. */
export function stateOfStep(
  step: StepDraft | undefined,
  position: number,
  live: LivePreview,
  errors: Record<string, unknown>,
): StepState | undefined {
  const prefix = `steps.${position - 1}.`
  const isOfStep = (field: string) => field.startsWith(prefix)
  if (Object.keys(errors).some(isOfStep)) return wrong
  if (!step?.endpoint_id) return undefined
  if (Object.keys(live.fieldProblems).some(isOfStep)) return wrong
  const result = resultOf(live, position)
  return result && resultWords[result.what]
}

const inputFields = /^(?:sample_input|input_schema|reference_path)(?:[./]|$)/

/** Of the input: only what is wrong with it is worth a word. */
export function stateOfInput(
  live: LivePreview,
  errors: Record<string, unknown>,
): StepState | undefined {
  if (
    [...Object.keys(errors), ...Object.keys(live.fieldProblems)].some((field) =>
      inputFields.test(field),
    )
  )
    return wrong
  return Object.keys(live.preview?.input_problems ?? {}).length > 0
    ? resultWords.refused
    : undefined
}
