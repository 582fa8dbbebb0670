import type { PendingSettings } from '@gatehouse/contract'
import type { StatusVerdict } from '../actions/status-query/classify-status-answer.ts'
import { weighNegative, type Inquiry, type Weighed } from '../actions/status-query/inquiry.ts'
import { giveUpAt } from './poll-times.ts'

/** What the authority's answer makes of a pending step. */
export type Decision =
  | { state: 'succeeded' | 'rejected' | 'partial' | 'unknown'; message: string; weighed: Weighed }
  | { state: 'pending'; weighed: Weighed }

interface Question {
  /** Undefined where it could not be asked. */
  said: StatusVerdict | undefined
  askedAt: Date
  /** It was asked by a value from the answer, so that nothing else can be meant. */
  isSpecific: boolean
  /** Counts the answers "rejected" so far. */
  inquiry: Inquiry
  /** Before the authority took it, an attempt was sent whose outcome is not known. */
  mayHaveArrivedBefore: boolean
  since: string
  settings: Pick<PendingSettings, 'give_up_minutes'>
}

/**
 * Decides what becomes of a pending step (docs/runs/unclear.md). "Not received" decides nothing: the authority
 * has said that it has it, and may not find it yet.
 */
export function decidePending(question: Question): Decision {
  const { said, askedAt, since, settings } = question
  const decided = said && decideBy(said, question)
  if (decided && decided.state !== 'pending') return decided
  const weighed = decided?.weighed ?? { settles: false, because: 'unclear', askAgainAfter: null }
  if (askedAt < giveUpAt(settings, since)) return { state: 'pending', weighed }
  return { state: 'unknown', weighed, message: givenUp(settings.give_up_minutes) }
}

function decideBy(said: StatusVerdict, question: Question): Decision {
  const { isSpecific, inquiry, askedAt, mayHaveArrivedBefore } = question
  const undecided = (because: 'still_pending' | 'unclear'): Decision => ({
    state: 'pending',
    weighed: { settles: false, because, askAgainAfter: null },
  })
  if (said.verdict === 'received')
    return { state: 'succeeded', weighed: { settles: true }, message: acceptedMessage }
  if (said.verdict === 'pending') return undecided('still_pending')
  if (said.verdict !== 'rejected') return undecided('unclear')
  // By its reference alone, an earlier refusal of the same document may be shown.
  const weighed: Weighed = isSpecific ? { settles: true } : weighNegative(inquiry, askedAt)
  if (!weighed.settles) return { state: 'pending', weighed }
  const why = said.messages === '' ? '' : `: ${said.messages}`
  return mayHaveArrivedBefore
    ? { state: 'unknown', weighed, message: `${repetitionRefused}${why}` }
    : { state: 'rejected', weighed, message: `The authority rejected it${why || '.'}` }
}

const acceptedMessage = 'The authority had taken it, and has accepted it.'

const repetitionRefused =
  'The authority rejected it when it was sent again. That does not say what became of an earlier attempt, which may have been received'

/** Why a step that was not decided in time is unknown. */
export function givenUp(minutes: number): string {
  const within = minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`
  return `The authority had taken it, and did not decide within ${within}: the outcome is unknown.`
}
