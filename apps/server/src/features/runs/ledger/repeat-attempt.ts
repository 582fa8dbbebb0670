import type { Exchanged } from '@gatehouse/upstream'
import type { Stores } from '../../../stores.ts'
import { openAttempt, type Opening } from './claim-step.ts'
import { seeAnswer } from './finish-step.ts'
import { LeaseLost, type OpenAttempt } from './live-run.ts'
import { refuseUnlessStillAllowed } from './may-still-send.ts'

/**
 * Stores the outcome of an attempt whose sign-in was refused, and opens another attempt with the same
 * request. The step stays under way. Call it in a transaction that has locked the run.
 */
export async function repeatAttempt(
  stores: Stores,
  { id, step }: OpenAttempt,
  exchanged: Exchanged,
  opening: Omit<Opening, 'step'> & { at: Date },
): Promise<OpenAttempt> {
  const { live, at } = opening
  await refuseUnlessStillAllowed(stores, live, step.plan)
  const { classified, kept } = seeAnswer(live, { step }, exchanged, at)
  const finished = { finished_at: at.toISOString(), ...kept }
  if (!(await stores.runs.finishAttempt(id, classified.outcome, finished)))
    throw new LeaseLost(live.id)
  return openAttempt(stores, { ...opening, step })
}
