import type { RunDetail, RunStepDetail, StepState } from '@gatehouse/contract'

const doneStates: ReadonlySet<StepState> = new Set(['succeeded', 'skipped'])
const openStates: ReadonlySet<StepState> = new Set(['unknown', 'rejected', 'blocked', 'partial'])

/** Nothing is left to do or to wait for: one line says enough where there are other steps. */
export const isFolded = ({ steps }: Pick<RunDetail, 'steps'>, { state }: RunStepDetail): boolean =>
  steps.length > 1 && doneStates.has(state)

/** The steps, with the one that needs somebody first; in their own order once nobody has to act. */
export function inOrderOfNeed(
  run: Pick<RunDetail, 'steps' | 'is_closed' | 'overtaken_by'>,
): RunStepDetail[] {
  const isOver = run.is_closed || run.overtaken_by !== null
  const isFirst = (step: RunStepDetail) =>
    step.can.resolve || (!isOver && openStates.has(step.state))
  return [...run.steps.filter(isFirst), ...run.steps.filter((step) => !isFirst(step))]
}
