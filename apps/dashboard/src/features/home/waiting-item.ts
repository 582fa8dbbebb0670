import type { RunState, WaitingRuns } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import { runStateWords, stateColors } from '../../entities/run/run-words.ts'
import { ageWords } from '../../lib/age-words.ts'

/** A number of things that wait for somebody, with the list that it counts. */
export interface WaitingItem {
  key: string
  label: string
  count: number
  /** The list shows no more than `count`, and says so. */
  hasMore?: boolean
  /** One line under the label. */
  hint?: string | undefined
  color: string
  to: string
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

export const countWords = ({ count, hasMore = false }: WaitingItem) =>
  `${count.toLocaleString('en')}${hasMore ? '+' : ''}`
