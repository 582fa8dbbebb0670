import type { AttemptRow } from '../ledger/attempt-store.ts'
import { historyOf } from '../ledger/open-run.ts'

/** Whether an attempt before the one that the authority has taken may have been received as well. */
export function mayHaveArrivedBefore(attempts: readonly AttemptRow[]): boolean {
  const taken = attempts.findLastIndex(({ outcome }) => outcome === 'pending')
  return historyOf(attempts.slice(0, Math.max(0, taken))).mayHaveArrived
}
