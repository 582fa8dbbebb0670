import type { AttemptKind, RunAttempt, StepState } from '@gatehouse/contract'
import { outcomeWords } from '../../entities/run/run-words.ts'

export const attemptKindWords: Record<AttemptKind, string> = {
  send: 'Sent',
  resend: 'Sent again, the same bytes',
  status_query: 'Asked what became of it',
  resolved_received: 'Somebody said that it was received',
  resolved_not_received: 'Somebody said that it was not received',
  late_answer: 'The answer to an earlier attempt, written down late',
}

/** What an attempt came to. */
export function attemptResult(attempt: RunAttempt): string {
  if (attempt.outcome !== null) return outcomeWords[attempt.outcome]
  const isPerson = attempt.kind.startsWith('resolved')
  return attempt.finished_at === null && !isPerson ? 'Under way…' : ''
}

export type Tone = 'good' | 'bad' | 'unknown' | 'plain'

/** The colour of its dot: an attempt without a sure outcome is unknown only where the step is. */
export function toneOf(attempt: RunAttempt, state: StepState): Tone {
  switch (attempt.outcome) {
    case 'ok':
    case 'ok_duplicate':
      return 'good'
    case 'rejected':
    case 'auth':
    case 'duplicate':
      return 'bad'
    case 'cut':
    case 'timeout':
    case 'server_error':
    case 'crash':
      return state === 'unknown' ? 'unknown' : 'bad'
    case 'throttled':
    case 'not_sent':
    case null:
    default:
      return attempt.kind === 'resolved_received' ? 'good' : 'plain'
  }
}
