import type { Outcome } from '@gatehouse/contract'
import type { Db } from '../../../db/connect.ts'

/** What was seen last of what runs with an unknown outcome have sent, by the id of the run. */
export const unknownReasons =
  (db: Db) =>
  async (runIds: readonly number[]): Promise<Map<number, Outcome>> => {
    const rows = await db
      .selectFrom('run_step')
      .innerJoin('run_attempt', 'run_attempt.step_id', 'run_step.id')
      .select(['run_step.run_id', 'run_attempt.outcome'])
      .where('run_step.run_id', 'in', [...runIds, -1])
      .where('run_step.state', '=', 'unknown')
      .where('run_attempt.kind', 'in', ['send', 'resend'])
      .where('run_attempt.outcome', 'is not', null)
      .orderBy('run_attempt.id')
      .execute()
    // The last one of a run stays.
    return new Map(
      rows.flatMap(({ run_id, outcome }) => (outcome === null ? [] : [[run_id, outcome] as const])),
    )
  }
