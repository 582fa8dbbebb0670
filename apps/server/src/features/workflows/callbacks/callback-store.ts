import type { Db } from '../../../db/connect.ts'
import type { NewRow } from '../../../db/tables.ts'

/** Secrets of callbacks, and what is to be reported. */
export function callbackStore(db: Db) {
  return {
    findSecrets: (workflowId: number) =>
      db
        .selectFrom('workflow_callback')
        .selectAll()
        .where('workflow_id', '=', workflowId)
        .executeTakeFirst(),
    putSecrets: ({ workflow_id, ...columns }: NewRow<'workflow_callback'>) =>
      db
        .insertInto('workflow_callback')
        .values({ workflow_id, ...columns })
        .onConflict((conflict) => conflict.column('workflow_id').doUpdateSet(columns))
        .execute(),
    /** The version that a run carries out; undefined for a run of no workflow. */
    findVersionOf: async (runId: number) => {
      const run = await db
        .selectFrom('run')
        .select(['workflow_id', 'workflow_version'])
        .where('id', '=', runId)
        .executeTakeFirst()
      if (!run || run.workflow_id === null || run.workflow_version === null) return undefined
      return { id: run.workflow_id, version: run.workflow_version }
    },
    /** A run with the slug of its workflow. */
    findRun: (runId: number) =>
      db
        .selectFrom('run')
        .innerJoin('workflow', 'workflow.id', 'run.workflow_id')
        .selectAll('run')
        .select('workflow.slug')
        .where('run.id', '=', runId)
        .executeTakeFirst(),
    /** Stored batches, not reported yet, of workflows that have had a callback. */
    listUnreported: (after: number, limit: number) =>
      db
        .selectFrom('batch')
        .select(['id', 'workflow_id', 'workflow_version'])
        .where('reported_at', 'is', null)
        .where('stored_by', 'is', null)
        .where('workflow_id', 'in', (each) =>
          each.selectFrom('workflow_callback').select('workflow_id'),
        )
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
    /** True where some run of the batch goes on by itself. */
    hasOpenRuns: async (batchId: number) => {
      const open = await db
        .selectFrom('run')
        .select('id')
        .where('batch_id', '=', batchId)
        .where('overtaken_by', 'is', null)
        .where('state', 'in', ['queued', 'running', 'pending'])
        .limit(1)
        .executeTakeFirst()
      return open !== undefined
    },
    /** False where another server has reported it. */
    markReported: async (batchId: number, at: string) => {
      const { numUpdatedRows } = await db
        .updateTable('batch')
        .set({ reported_at: at })
        .where('id', '=', batchId)
        .where('reported_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}
