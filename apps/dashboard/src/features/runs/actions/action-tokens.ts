import type { RunDetail } from '@gatehouse/contract'

/** As the forms have them: one for step 1, one that the others share (spec: screens). Kept nowhere. */
export interface ActionTokens {
  first: string
  others: string
}

export const noTokens: ActionTokens = { first: '', others: '' }

/** wire: `endpoint_1` to `endpoint_10`, those of the run's steps that are still to be sent. */
export function toEndpoints(run: RunDetail, fromStep: number, tokens: ActionTokens) {
  const positions = run.steps.map(({ position }) => position).filter((at) => at >= fromStep)
  return Object.fromEntries(
    positions.map((at) => [`endpoint_${at}`, { token: at === 1 ? tokens.first : tokens.others }]),
  )
}
