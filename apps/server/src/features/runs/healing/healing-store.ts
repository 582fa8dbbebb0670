import type { Db } from '../../../db/connect.ts'
import type { Row, RowChange } from '../../../db/tables.ts'

export type HealingStore = ReturnType<typeof healingStore>
export type HealingRow = Row<'healing_step'>
/** A step that is due, with where it belongs. */
export type DueHealing = Awaited<ReturnType<HealingStore['listDue']>>[number]

/** Steps whose outcome is unknown, as the healing keeper sees them. */
export function healingStore(db: Db) {
  return {
    /**
     * Takes note of unknown steps of runs that machines started, or that are to be healed, and no row is there for, and forgets rows
     * that were given up and whose step is settled. Returns how many are new.
     */
    discover: async (now: string, limit: number): Promise<number> => {
      await db
        .deleteFrom('healing_step')
        .where('next_at', 'is', null)
        .where((where) =>
          where.not(
            where.exists((each) =>
              each
                .selectFrom('run_step')
                .select('run_step.id')
                .whereRef('run_step.id', '=', 'healing_step.step_id')
                .where('run_step.state', '=', 'unknown'),
            ),
          ),
        )
        .execute()
      const found = await db
        .selectFrom('run')
        .innerJoin('run_step', 'run_step.run_id', 'run.id')
        .select(['run_step.id as step_id', 'run.id as run_id', 'run.unknown_since'])
        .where('run.state', '=', 'unknown')
        .where((where) =>
          where.or([where('run.workflow_id', 'is not', null), where('run.heals', '=', 1)]),
        )
        .where('run_step.state', '=', 'unknown')
        .where((where) =>
          where.not(
            where.exists((each) =>
              each
                .selectFrom('healing_step')
                .select('healing_step.step_id')
                .whereRef('healing_step.step_id', '=', 'run_step.id'),
            ),
          ),
        )
        .orderBy('run.id')
        .limit(limit)
        .execute()
      if (found.length === 0) return 0
      await db
        .insertInto('healing_step')
        .values(
          found.map(({ step_id, run_id, unknown_since }) => ({
            step_id,
            run_id,
            since: unknown_since ?? now,
            tries: 0,
            next_at: now,
            plan: 'ask' as const,
          })),
        )
        .onConflict((conflict) => conflict.column('step_id').doNothing())
        .execute()
      return found.length
    },
    /** In the order in which they are due. */
    listDue: (now: string, limit: number) =>
      db
        .selectFrom('healing_step')
        .innerJoin('run', 'run.id', 'healing_step.run_id')
        .innerJoin('run_step', 'run_step.id', 'healing_step.step_id')
        .leftJoin('endpoint', 'endpoint.id', 'run_step.endpoint_id')
        .leftJoin('api', 'api.id', 'endpoint.api_id')
        .leftJoin('workflow', 'workflow.id', 'run.workflow_id')
        .leftJoin('lane', 'lane.id', 'workflow.lane_id')
        .selectAll('healing_step')
        .select([
          'run_step.position',
          'run.is_test',
          'api.document_register as register',
          'lane.id as lane_id',
          'lane.per_second',
          'lane.per_minute',
          'lane.per_hour',
        ])
        .where('healing_step.next_at', '<=', now)
        .orderBy('healing_step.next_at')
        .orderBy('healing_step.step_id')
        .limit(limit)
        .execute(),
    /**
     * Runs that a run of the journal blocks whose outcome is known by now. They are older: they waited in their lane when the
     * backup was made, and were sent before the restore.
     */
    listBlockedByFound: (limit: number) =>
      db
        .selectFrom('run')
        .innerJoin('run_step', 'run_step.run_id', 'run.id')
        .innerJoin('run as found', 'found.id', 'run_step.blocked_by')
        .select([
          'run.id as run_id',
          'run.epoch',
          'found.id as found_id',
          'found.state as found_state',
        ])
        .where('run.state', '=', 'blocked')
        .where('run.closed_at', 'is', null)
        .where('run.overtaken_by', 'is', null)
        .where('run.workflow_id', 'is not', null)
        .where('run_step.state', '=', 'blocked')
        .where('found.found_in', '=', 'journal')
        .where('found.state', 'not in', ['unknown', 'pending'])
        .whereRef('run.created_at', '<=', 'found.created_at')
        .orderBy('run.id')
        .limit(limit)
        .execute(),
    update: (stepId: number, change: RowChange<'healing_step'>) =>
      db.updateTable('healing_step').set(change).where('step_id', '=', stepId).execute(),
    remove: (stepId: number) =>
      db.deleteFrom('healing_step').where('step_id', '=', stepId).execute(),
    listOfRun: (runId: number) =>
      db.selectFrom('healing_step').selectAll().where('run_id', '=', runId).execute(),
  }
}
