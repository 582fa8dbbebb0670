import { Badge } from '@mantine/core'
import type { RunState, StepState } from '@gatehouse/contract'
import { runStateText, stateColors, stepStateWords } from './run-words.ts'

/** A badge is never cut off, even in a narrow column. A span may stand in a line of text. */
const look = { component: 'span', miw: 'max-content' } as const

/** Unknown is the most conspicuous. */
const looksOf = (state: RunState | StepState) =>
  state === 'unknown'
    ? ({ color: 'yellow.4', variant: 'filled', ...look } as const)
    : ({ color: stateColors[state], variant: 'light', ...look } as const)

export function RunBadge({ state, isDryRun }: { state: RunState; isDryRun?: boolean }) {
  return <Badge {...looksOf(state)}>{runStateText(state, isDryRun)}</Badge>
}

export function StepBadge({ state }: { state: StepState }) {
  return <Badge {...looksOf(state)}>{stepStateWords[state]}</Badge>
}

/** Shown beside the state of a run that needs no further action. */
export function DoneBadge({ isClosed }: { isClosed: boolean }) {
  return (
    <Badge color="gray" variant="outline" {...look}>
      {isClosed ? 'Closed' : 'Overtaken'}
    </Badge>
  )
}

/** Marks a test invoice (spec: test-invoice). */
export function TestBadge() {
  return (
    <Badge color="grape" variant="outline" {...look}>
      TEST
    </Badge>
  )
}
