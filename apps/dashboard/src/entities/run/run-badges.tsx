import { Badge } from '@mantine/core'
import type { RunState, StepState } from '@gatehouse/contract'
import { StatusWord } from '../../ui/text/status-word.tsx'
import { runStateText, stateColors, stepStateWords } from './run-words.ts'

/** A badge is never cut off, even in a narrow column. A span may stand in a line of text. */
const look = { component: 'span', miw: 'max-content' } as const

/** Unknown is the most conspicuous: it alone is a badge. */
function StateWord({ state, children }: { state: RunState | StepState; children: string }) {
  if (state !== 'unknown') return <StatusWord color={stateColors[state]}>{children}</StatusWord>
  return (
    <Badge color="yellow.4" variant="filled" {...look}>
      {children}
    </Badge>
  )
}

export function RunBadge({ state, isDryRun }: { state: RunState; isDryRun?: boolean }) {
  return <StateWord state={state}>{runStateText(state, isDryRun)}</StateWord>
}

export function StepBadge({ state }: { state: StepState }) {
  return <StateWord state={state}>{stepStateWords[state]}</StateWord>
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
