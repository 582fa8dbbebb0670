import type { RunState, StepState } from '@gatehouse/contract'

/** Nothing is left to do about such a step. */
export const isDone = (state: StepState) =>
  state === 'succeeded' || state === 'would_send' || state === 'skipped'

/** The first step that is not done: it decides the state of its run. */
export function decidingStep<S extends { state: StepState }>(steps: readonly S[]): S | undefined {
  return steps.find((step) => !isDone(step.state))
}

/** It ends by itself: nobody has to act. */
export const isUnderWay = (state: RunState) =>
  state === 'running' ||
  state === 'queued' ||
  state === 'pending' ||
  // It is sent once a person releases it, or expires.
  state === 'waits_for_release'

/** The state of a run that no server carries out, from its steps in order. */
export function runStateOf(steps: readonly { state: StepState }[]): RunState {
  const state = decidingStep(steps)?.state
  if (state === undefined || isDone(state)) return 'succeeded'
  if (state === 'waiting') {
    return steps.some((step) => isDone(step.state)) ? 'stopped' : 'not_started'
  }
  return state === 'sending' ? 'running' : state
}

const mayBeReceived: ReadonlySet<StepState> = new Set([
  'succeeded',
  'unknown',
  'sending',
  'pending',
  'partial',
])

/** True where a submit of the run was, is being or may have been accepted: never send it again. */
export function mayBeAccepted(steps: readonly { effect: string; state: StepState }[]): boolean {
  return steps.some(({ effect, state }) => effect === 'submit' && mayBeReceived.has(state))
}
