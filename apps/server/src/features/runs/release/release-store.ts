import type { ReleaseDecision } from '@gatehouse/contract'
import type { Db } from '../../../db/connect.ts'
import type { NewRow } from '../../../db/tables.ts'

interface Decided {
  decision: ReleaseDecision
  at: string
  /** Null: it expired. */
  by: { id: number; name: string } | null
  note: string | null
}

/** The runs that a person has to release, and what was decided. */
export function releaseStore(db: Db) {
  return {
    insert: (release: NewRow<'run_release'>) =>
      db.insertInto('run_release').values(release).execute(),
    find: (runId: number) =>
      db.selectFrom('run_release').selectAll().where('run_id', '=', runId).executeTakeFirst(),
    /** Hold the run before: of two decisions the first counts. */
    decide: (runId: number, { decision, at, by, note }: Decided) =>
      db
        .updateTable('run_release')
        .set({
          decision,
          decided_at: at,
          decided_by_id: by?.id ?? null,
          decided_by_name: by?.name ?? null,
          note,
        })
        .where('run_id', '=', runId)
        .execute(),
    listExpired: async (now: string, limit: number): Promise<number[]> => {
      const rows = await db
        .selectFrom('run_release')
        .select('run_id')
        .where('decision', 'is', null)
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(limit)
        .execute()
      return rows.map(({ run_id }) => run_id)
    },
    /** What the last call of an agent to the endpoint that succeeded has sent. */
    findLastCall: async (endpointId: number) => {
      const last = await db
        .selectFrom('run_step')
        .innerJoin('run', 'run.id', 'run_step.run_id')
        .select(['run.id', 'run.created_at', 'position', 'method', 'url', 'body'])
        .where('run_step.endpoint_id', '=', endpointId)
        .where('run_step.state', '=', 'succeeded')
        .where('run.kind', '=', 'call')
        .orderBy('run_step.run_id', 'desc')
        .limit(1)
        .executeTakeFirst()
      if (!last) return undefined
      const { id, created_at, ...step } = last
      return { id, created_at, steps: [step] }
    },
    /** What the last run of the workflow that succeeded has sent, by its steps. */
    findLastSent: async (workflowId: number, isTest: 0 | 1) => {
      const run = await db
        .selectFrom('run')
        .select(['id', 'created_at'])
        .where('workflow_id', '=', workflowId)
        .where('state', '=', 'succeeded')
        .where('is_test', '=', isTest)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      if (!run) return undefined
      const steps = await db
        .selectFrom('run_step')
        .select(['position', 'method', 'url', 'body'])
        .where('run_id', '=', run.id)
        .where('frozen_at', 'is not', null)
        .orderBy('position')
        .execute()
      return { ...run, steps }
    },
  }
}
