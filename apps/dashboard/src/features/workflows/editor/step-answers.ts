import type { WorkflowStepRun } from '@gatehouse/contract'
import type { StepDraft } from '../workflow-step-draft.ts'

/** What a step answered when it was run on the sample. */
export interface StepAnswer extends WorkflowStepRun {
  /** The step and the sample as they were. */
  asked: string
  endpoint: string | null
}

/** By the key of the step. They are in no draft, and go with the screen. */
export type StepAnswers = ReadonlyMap<string, StepAnswer>

/** Tells whether a step or the sample has changed since it was run. */
export const askedBy = ({ endpoint_id, body }: StepDraft, sampleInput: string): string =>
  JSON.stringify([endpoint_id, body, sampleInput])

/** What it answered, by the endpoint that is chosen; none of another one counts. */
export function answerOf(step: StepDraft, answers: StepAnswers): StepAnswer | undefined {
  const answer = answers.get(step.key)
  return answer?.endpoint === step.endpoint_id ? answer : undefined
}

/** What later steps can take from it: an answer of the endpoint that is chosen, which took the request. */
export function givenBy(step: StepDraft, answers: StepAnswers) {
  const answer = answerOf(step, answers)
  if (!answer) return undefined
  if (answer.run.state !== 'succeeded' || answer.body === null || !answer.is_whole) return undefined
  return { run: answer.run.id, status: answer.status, text: answer.body }
}
