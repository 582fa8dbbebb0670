import { Badge } from '@mantine/core'
import type { RunState, StepState } from '@gatehouse/contract'
import { runStateWords, stateColors, stepStateWords } from './run-words.ts'

/** A badge is never cut off, even in a narrow column. */
const miw = 'max-content'

/** Unknown is the most conspicuous. */
const looksOf = (state: RunState | StepState) =>
  state === 'unknown'
    ? ({ color: 'yellow.4', variant: 'filled', miw } as const)
    : ({ color: stateColors[state], variant: 'light', miw } as const)

export function RunBadge({ state, isDryRun = false }: { state: RunState; isDryRun?: boolean }) {
  const words = isDryRun && state === 'succeeded' ? 'Checked, not sent' : runStateWords[state]
  return <Badge {...looksOf(state)}>{words}</Badge>
}

export function StepBadge({ state }: { state: StepState }) {
  return <Badge {...looksOf(state)}>{stepStateWords[state]}</Badge>
}

/** Shown beside the state of a run that needs no further action. */
export function DoneBadge({ isClosed }: { isClosed: boolean }) {
  return (
    <Badge color="gray" variant="outline" miw={miw}>
      {isClosed ? 'Closed' : 'Overtaken'}
    </Badge>
  )
}

/** Marks a test invoice (spec: test-invoice). */
export function TestBadge() {
  return (
    <Badge color="grape" variant="outline" miw={miw}>
      TEST
    </Badge>
  )
}
