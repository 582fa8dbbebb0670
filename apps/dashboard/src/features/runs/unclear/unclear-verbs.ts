import type { ChosenAnswer, Permission, UnclearRun, Verdict } from '@gatehouse/contract'
import { call } from '../../../lib/calls/call.ts'
import { confirmingHeld } from '../../../lib/forms/held-question.ts'
import type { UnclearQuery } from './unclear-queries.ts'

export const unclearVerbs = ['ask', 'resume', 'resolve', 'close'] as const
export type UnclearVerb = (typeof unclearVerbs)[number]

/** The key that does it to the selected rows. */
export const verbKeys: Record<UnclearVerb, string> = {
  ask: 'A',
  resume: 'R',
  resolve: 'S',
  close: 'C',
}

export const verbPermissions: Record<UnclearVerb, Permission> = {
  ask: 'run.resolve',
  resume: 'run.resume',
  resolve: 'run.resolve',
  close: 'run.resolve',
}

export const verbWords: Record<UnclearVerb, string> = {
  ask: 'Ask',
  resume: 'Resume',
  resolve: 'Resolve',
  close: 'Close',
}

/** What the dialog says before it is done. */
export const verbSayingWords: Record<UnclearVerb, string> = {
  ask: 'The status query of each endpoint is asked what became of the document. What it answers is kept, and settles the run where it counts.',
  resume:
    'Each goes on with its first step that did not succeed. One whose outcome is unknown is only sent again where its endpoint takes the same bytes twice.',
  resolve: 'Say so only if you have made sure at the receiver, for every one of them.',
  close: 'They no longer count as open work. One whose outcome is unknown stays.',
}

/** The rows that were selected, or all that a filter finds. */
export type UnclearTarget = { ids: number[] } | { filter: UnclearQuery }

/** What is said or typed beside the choice of runs. */
export interface Said {
  verdict: Verdict
  /** The note, or the reason. */
  text: string
}

/** Tries the next of the runs, after one of them. */
export function performVerb(
  verb: UnclearVerb,
  target: UnclearTarget,
  { verdict, text }: Said,
  after: number,
): Promise<ChosenAnswer> {
  const chosen =
    'ids' in target
      ? { ids: target.ids, after }
      : { filter: { ...target.filter, work: 'unclear' as const }, after }
  switch (verb) {
    case 'ask':
      return call('POST /api/runs/bulk/status-query', { body: chosen })
    case 'resume':
      return confirmingHeld((confirmed) =>
        call('POST /api/runs/bulk/resume', { body: { ...chosen, ...confirmed } }),
      )
    case 'resolve':
      return call('POST /api/runs/bulk/resolve', { body: { ...chosen, verdict, note: text } })
    case 'close':
    default:
      return call('POST /api/runs/bulk/close', { body: { ...chosen, reason: text } })
  }
}

/** What the user may do with a run, in words. */
export const offeredVerbs = ({ can }: UnclearRun): UnclearVerb[] =>
  unclearVerbs.filter((verb) => can[verb])
