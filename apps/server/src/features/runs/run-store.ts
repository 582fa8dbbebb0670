import type { Outcome, StepState } from '@gatehouse/contract'
import type { Db } from '../../db/connect.ts'
import type { NewRow, RowChange } from '../../db/tables.ts'

export type RunStore = ReturnType<typeof runStore>

export function runStore(db: Db) {
  return {
    insertRun: (run: NewRow<'run'>) =>
      db.insertInto('run').values(run).returning('id').executeTakeFirstOrThrow(),
    insertStep: (step: NewRow<'run_step'>) =>
      db.insertInto('run_step').values(step).returning('id').executeTakeFirstOrThrow(),
    insertAttempt: (attempt: NewRow<'run_attempt'>) =>
      db.insertInto('run_attempt').values(attempt).returning('id').executeTakeFirstOrThrow(),
    /** Attempts are append-only: only an open one is completed, once. False when it was already. */
    finishAttempt: async (id: number, outcome: Outcome, result: RowChange<'run_attempt'>) => {
      const { numUpdatedRows } = await db
        .updateTable('run_attempt')
        .set({ ...result, outcome })
        .where('id', '=', id)
        .where('outcome', 'is', null)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },
    setStepState: (id: number, state: StepState) =>
      db.updateTable('run_step').set({ state }).where('id', '=', id).execute(),
    updateRun: (id: number, change: RowChange<'run'>) =>
      db.updateTable('run').set(change).where('id', '=', id).execute(),
    /** Attempts that this server began and never finished. */
    listOpenAttempts: (owner: string) =>
      db
        .selectFrom('run_attempt')
        .innerJoin('run_step', 'run_step.id', 'run_attempt.step_id')
        .select(['run_attempt.id', 'run_attempt.step_id', 'run_step.run_id', 'run_step.effect'])
        .where('run_attempt.owner', '=', owner)
        .where('run_attempt.finished_at', 'is', null)
        .execute(),
  }
}
