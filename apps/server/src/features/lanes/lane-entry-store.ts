import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { NewRow, RowChange } from '../../db/tables.ts'
import { deadlineFrom } from '../runs/ledger/lane-fate.ts'

/** The runs that are in lanes; a part of the store of lanes. */
export function laneEntryStore(db: Db) {
  const entriesOf = (laneId: number) => db.selectFrom('lane_entry').where('lane_id', '=', laneId)

  return {
    /** The lane of a workflow, as it is now. */
    findOfWorkflow: (workflowId: number) => laneOf(db, workflowId),
    insertEntry: (entry: NewRow<'lane_entry'>) =>
      db.insertInto('lane_entry').values(entry).execute(),
    /**
     * A run that has left the lane of its workflow goes back to it, with the deadline that it had; no order
     * key is kept for it.
     */
    insertAgain: async (
      runId: number,
      of: { workflowId: number; createdAt: string },
      now: string,
    ) => {
      const lane = await laneOf(db, of.workflowId)
      const entry = {
        run_id: runId,
        lane_id: lane.id,
        priority: 0,
        state: 'queued',
        is_first: 1,
        queued_at: now,
        deadline_at: deadlineFrom(of.createdAt, lane.max_age_minutes),
      } as const
      await db.insertInto('lane_entry').values(entry).execute()
    },
    findEntry: (runId: number) =>
      db.selectFrom('lane_entry').selectAll().where('run_id', '=', runId).executeTakeFirst(),
    /** Whether a run with this order key is in the lane. Lock the key before. */
    hasOrderKey: async (laneId: number, orderKey: string) => {
      const found = await entriesOf(laneId)
        .select('run_id')
        .where('order_key', '=', orderKey)
        .limit(1)
        .executeTakeFirst()
      return found !== undefined
    },
    /** The run with this order key that was taken first, of those that are in the lane. */
    findFirstOf: async (laneId: number, orderKey: string) => {
      const { first } = await entriesOf(laneId)
        .select((from) => from.fn.min('run_id').as('first'))
        .where('order_key', '=', orderKey)
        .executeTakeFirstOrThrow()
      return first
    },
    countRunning: async (laneId: number) => {
      const { count } = await entriesOf(laneId)
        .select(sql<number>`count(*)`.as('count'))
        .where('state', '=', 'running')
        .executeTakeFirstOrThrow()
      return count
    },
    /** The runs whose turn it is, in their order. */
    listNext: (laneId: number, now: string, limit: number) =>
      entriesOf(laneId)
        .selectAll()
        .where('state', '=', 'queued')
        .where('is_first', '=', 1)
        .where((each) => each.or([each('next_try_at', 'is', null), each('next_try_at', '<=', now)]))
        .where((each) => each.or([each('deadline_at', 'is', null), each('deadline_at', '>', now)]))
        .orderBy('priority')
        .orderBy('run_id')
        .limit(limit)
        .execute(),
    startEntries: (runIds: readonly number[]) =>
      db
        .updateTable('lane_entry')
        .set({ state: 'running', message: null, next_try_at: null })
        .where('run_id', 'in', runIds)
        .execute(),
    updateEntry: (runId: number, change: RowChange<'lane_entry'>) =>
      db.updateTable('lane_entry').set(change).where('run_id', '=', runId).execute(),
    removeEntry: (runId: number) =>
      db.deleteFrom('lane_entry').where('run_id', '=', runId).execute(),
    /** The oldest run with this order key is the next of it. Lock the key before. */
    promoteNext: (laneId: number, orderKey: string) =>
      db
        .updateTable('lane_entry')
        .set({ is_first: 1 })
        .where('run_id', '=', (each) =>
          each
            .selectFrom('lane_entry')
            .select((from) => from.fn.min('run_id').as('run_id'))
            .where('lane_id', '=', laneId)
            .where('order_key', '=', orderKey),
        )
        .execute(),
    /** Queued runs that may not be sent any more. */
    listOverdue: async (now: string) => {
      const rows = await db
        .selectFrom('lane_entry')
        .select('run_id')
        .where('state', '=', 'queued')
        .where('deadline_at', '<=', now)
        .limit(100)
        .execute()
      return rows.map(({ run_id }) => run_id)
    },
  }
}

const laneOf = (db: Db, workflowId: number) =>
  db
    .selectFrom('workflow')
    .innerJoin('lane', 'lane.id', 'workflow.lane_id')
    .select(['lane.id', 'lane.is_strict_order', 'lane.max_age_minutes'])
    .where('workflow.id', '=', workflowId)
    .executeTakeFirstOrThrow()
