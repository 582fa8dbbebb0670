import type { RunListItem, RunState, WaitingRuns } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import { runStateWords, stateColors } from '../../entities/run/run-words.ts'
import { ageWords } from '../../lib/format/age-words.ts'

/** A number of things that wait for somebody, with the list that it counts. */
export interface WaitingItem {
  key: string
  label: string
  count: number
  /** The list shows no more than `count`, and says so. */
  hasMore?: boolean
  /** Shown while the pointer rests on it. */
  hint?: string | undefined
  color: string
  to: string
  /** The first of them, each by its name. */
  things?: readonly WaitingThing[]
}

/** One thing that waits for somebody. */
export interface WaitingThing {
  key: string
  /** What is the matter with it. */
  label: string
  color: string
  name: string
  since?: string | null
  to: string
  /** What the button says. */
  action: string
}

const hints: Partial<Record<RunState, string>> = {
  waits_for_release: 'Release or refuse them.',
  unknown: 'Say what became of them.',
  rejected: 'Correct and send again, or close.',
  partial: 'Correct the rejected ones.',
  blocked: 'See what has to be done first.',
  stopped: 'Resume or close.',
  not_started: 'Resume or close.',
  pending: 'Asked automatically.',
}

/** Runs of a state, with the work list or the history filtered alike. */
export function runItem({ state, total, has_more, oldest_at }: WaitingRuns): WaitingItem {
  const work = state === 'pending' || state === 'waits_for_release' ? '' : '&work=open'
  return {
    key: state,
    label: runStateWords[state],
    count: total,
    hasMore: has_more,
    hint: oldest_at === null ? undefined : `Oldest: ${ageWords(oldest_at)}. ${hints[state] ?? ''}`,
    color: stateColors[state],
    to:
      state === 'unknown'
        ? `${paths.unclear}?state=unknown`
        : `${paths.runs}?state=${state}${work}`,
  }
}

const runActions: Partial<Record<RunState, string>> = {
  waits_for_release: 'Decide',
  unknown: 'Resolve',
  rejected: 'Correct',
  partial: 'Correct',
  stopped: 'Resume',
  not_started: 'Resume',
}

/** A run by the reference of its document. */
export const runThing = ({ id, state, reference, created_at }: RunListItem): WaitingThing => ({
  key: `run ${id}`,
  label: runStateWords[state],
  color: stateColors[state],
  name: reference ?? `Run ${id}`,
  since: created_at,
  to: paths.run(id),
  action: runActions[state] ?? 'Look at it',
})

export const countWords = ({ count, hasMore = false }: WaitingItem) =>
  `${count.toLocaleString('en')}${hasMore ? '+' : ''}`
