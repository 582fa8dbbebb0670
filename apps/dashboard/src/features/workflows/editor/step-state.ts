import type { WorkflowPreviewStep } from '@gatehouse/contract'
import type { StepDraft } from '../workflow-step-draft.ts'
import type { StepAnswer } from './step-answers.ts'
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

const wrong: StepState = { word: 'Needs correction', color: 'red' }

interface StepFacts {
  live: LivePreview
  errors: Record<string, unknown>
  answer: StepAnswer | undefined
  isStale: boolean
}

/** Of a step on the sample; undefined while that is not known. */
export function stateOfStep(
  { endpoint_id }: StepDraft,
  position: number,
  { live, errors, answer, isStale }: StepFacts,
): StepState | undefined {
  const prefix = `steps.${position - 1}.`
  const isOfStep = (field: string) => field.startsWith(prefix)
  if (Object.keys(errors).some(isOfStep)) return wrong
  if (endpoint_id === null) return undefined
  if (Object.keys(live.fieldProblems).some(isOfStep)) return wrong
  if (answer && !isStale) return stateOfAnswer(answer)
  const result = resultOf(live, position)
  return result && resultWords[result.what]
}

function stateOfAnswer({ run, status }: StepAnswer): StepState {
  const word = status === null ? 'No answer' : `Answered ${status}`
  return { word, color: run.state === 'succeeded' ? 'green' : 'red' }
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
