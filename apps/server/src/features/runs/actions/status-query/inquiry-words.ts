import type { UndecidedReason } from '@gatehouse/contract'
import { negativesNeeded, spacingSeconds } from './inquiry.ts'

interface Undecided {
  because: UndecidedReason
  askAgainAfter: Date | null
  quietSeconds: number
}

/** Why the answer settles nothing, and when to ask again. The person who asked reads it. */
export function explainUndecided({ because, askAgainAfter, quietSeconds }: Undecided): string {
  const when = askAgainAfter ? ` Ask again after ${timeOf(askAgainAfter)}.` : ''
  return `${reasonOf(because, spacingSeconds({ quietSeconds }))}${when}`
}

function reasonOf(because: UndecidedReason, spacing: number): string {
  switch (because) {
    case 'under_way':
      return 'An attempt of this step is still under way.'
    case 'too_early':
      return 'Asked too early: the endpoint may still be working on it.'
    case 'too_soon':
      return `Asked again too soon: the answers must lie ${spacing} s apart.`
    case 'said_once':
      return `The endpoint says no. It has to say so ${negativesNeeded} times, ${spacing} s apart.`
    case 'still_pending':
      return 'The authority has it and has not decided yet.'
    case 'unclear':
    default:
      return 'The endpoint was asked: its answer decides nothing.'
  }
}

/** The remark that is stored with an answer that does not count. */
export const remarks: Readonly<Record<UndecidedReason, string>> = {
  under_way: ' It does not count: an attempt was under way.',
  too_early: ' It does not count: asked too early.',
  too_soon: ' It does not count: asked too soon after the last time.',
  said_once: ' It counts once it was said again.',
  unclear: '',
  still_pending: '',
}

/** In UTC, without the day; whole seconds, rounded up. */
function timeOf(moment: Date): string {
  const iso = new Date(Math.ceil(moment.getTime() / 1000) * 1000).toISOString()
  return `${iso.slice(11, 19)} UTC`
}
