import type { Exchanged } from '@gatehouse/upstream'
import { allOf } from '../../../db/all-of.ts'
import type { Stores } from '../../../stores.ts'
import { openAttempt, type Opening } from './claim-step.ts'
import { seeAnswer } from './finish-step.ts'
import { LeaseLost, type OpenAttempt } from './reading/live-run.ts'
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
  const { classified, kept } = seeAnswer({ step }, exchanged, at)
  const finished = { finished_at: at.toISOString(), ...kept }
  const [, isOpen, attempt] = await allOf([
    refuseUnlessStillAllowed(stores, live, step.plan),
    stores.runs.finishAttempt(id, classified.outcome, finished),
    openAttempt(stores, { ...opening, step }),
  ])
  if (!isOpen) throw new LeaseLost(live.id)
  return attempt
}
