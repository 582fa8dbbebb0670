import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { lockedOrSkipped } from '../../db/dialect.ts'
import type { NewRow, Row, RowChange } from '../../db/tables.ts'
import type { Clock } from '../../kernel/clock.ts'
import { laneFigures } from './lane-figures.ts'
import { laneRateStore } from './lane-rate-store.ts'

export type LaneStore = ReturnType<typeof laneStore>
export type LaneRow = Row<'lane'>
export type LaneEntryRow = Row<'lane_entry'>

/** Lanes, and the runs that are in them. */
export function laneStore(db: Db, clock: Clock) {
  const entriesOf = (laneId: number) => db.selectFrom('lane_entry').where('lane_id', '=', laneId)

  return {
    listFigures: laneFigures(db),
    ...laneRateStore(db, clock),
    find: (id: number) => db.selectFrom('lane').selectAll().where('id', '=', id).executeTakeFirst(),
    /** The lane of a workflow. */
    findOf: (workflowId: number) =>
      db
        .selectFrom('lane')
        .innerJoin('workflow', 'workflow.lane_id', 'lane.id')
        .selectAll('lane')
        .where('workflow.id', '=', workflowId)
        .executeTakeFirst(),
    /** Locks the lane until the commit. Undefined where another transaction claims from it now. */
    take: (id: number) =>
      lockedOrSkipped(
        db,
        db.selectFrom('lane').selectAll().where('id', '=', id),
      ).executeTakeFirst(),
    update: (id: number, change: RowChange<'lane'>) =>
      db.updateTable('lane').set(change).where('id', '=', id).execute(),
    /** One more try in a row that failed; returns how many. Locks the lane until the commit. */
    countFailure: async (id: number) => {
      const { failures } = await db
        .updateTable('lane')
        .set((each) => ({ failures: each('failures', '+', 1) }))
        .where('id', '=', id)
        .returning('failures')
        .executeTakeFirstOrThrow()
      return failures
    },
    /** Starts no run before that moment. `outageSince` marks the beginning of an outage. */
    delay: (id: number, nextTryAt: string, outageSince: string | null) =>
      db
        .updateTable('lane')
        .set((each) => ({
          next_try_at: nextTryAt,
          outage_since: each.fn.coalesce('outage_since', each.val(outageSince)),
        }))
        .where('id', '=', id)
        .execute(),
    /** Pauses the lane, unless it is paused already. */
    pauseItself: (id: number, now: string, reason: string) =>
      db
        .updateTable('lane')
        .set({
          is_paused: 1,
          paused_at: now,
          paused_by: null,
          pause_reason: reason,
          is_alarmed: 0,
        })
        .where('id', '=', id)
        .where('is_paused', '=', 0)
        .execute(),
    /** The lanes that have paused themselves since the last call; each is returned to one server. */
    takeAlarms: () =>
      db
        .updateTable('lane')
        .set({ is_alarmed: 1 })
        .where('is_paused', '=', 1)
        .where('paused_by', 'is', null)
        .where('is_alarmed', '=', 0)
        .returning(['id', 'name', 'pause_reason'])
        .execute(),
    /** Notes that the authority answers. */
    clearFailures: (id: number) =>
      db
        .updateTable('lane')
        .set({ failures: 0, outage_since: null, next_try_at: null })
        .where('id', '=', id)
        .where((each) => each.or([each('failures', '>', 0), each('next_try_at', 'is not', null)]))
        .execute(),
    /** Lanes in which a run is queued that may be the next of its order key. */
    listWithQueued: async () => {
      const rows = await db
        .selectFrom('lane')
        .select('id')
        .where((each) =>
          each.exists(
            each
              .selectFrom('lane_entry')
              .select('run_id')
              .whereRef('lane_id', '=', 'lane.id')
              .where('state', '=', 'queued')
              .where('is_first', '=', 1),
          ),
        )
        .execute()
      return rows.map(({ id }) => id)
    },
    insertEntry: (entry: NewRow<'lane_entry'>) =>
      db.insertInto('lane_entry').values(entry).execute(),
    /** A run that has left the lane of its workflow goes back to it; no order key is kept for it. */
    insertAgain: (runId: number, workflowId: number, now: string) =>
      db
        .insertInto('lane_entry')
        .columns(['run_id', 'lane_id', 'priority', 'state', 'is_first', 'queued_at'])
        .expression((from) =>
          from
            .selectFrom('workflow')
            .select((each) => [
              each.val(runId).as('run_id'),
              'lane_id',
              each.lit(0).as('priority'),
              each.val('queued' as const).as('state'),
              each.lit(1).as('is_first'),
              each.val(now).as('queued_at'),
            ])
            .where('id', '=', workflowId),
        )
        .execute(),
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
