import type { AttemptRow } from '../ledger/attempt-store.ts'
import { historyOf } from '../ledger/open-run.ts'

/**
 * Whether an attempt before the one that the authority has taken may have been received as well. Where a person says
 * that it was taken, that is the last one that was sent.
 */
export function mayHaveArrivedBefore(attempts: readonly AttemptRow[]): boolean {
  const said = attempts.findLastIndex(({ kind }) => kind === 'resolved_received')
  const taken =
    said === -1
      ? attempts.findLastIndex(({ outcome }) => outcome === 'pending')
      : attempts.slice(0, said).findLastIndex(({ kind }) => kind === 'send' || kind === 'resend')
  return historyOf(attempts.slice(0, Math.max(0, taken))).mayHaveArrived
}
