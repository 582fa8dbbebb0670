import type { Db } from '../../db/connect.ts'
import { lockedOrSkipped } from '../../db/dialect.ts'
import type { Row, RowChange } from '../../db/tables.ts'
import type { Clock } from '../../kernel/clock.ts'
import { laneEntryStore } from './lane-entry-store.ts'
import { laneFigures } from './lane-figures.ts'
import { laneRateStore } from './rates/lane-rate-store.ts'

export type LaneRow = Row<'lane'>
export type LaneEntryRow = Row<'lane_entry'>

/** Lanes, and the runs that are in them. */
export function laneStore(db: Db, clock: Clock) {
  return {
    listFigures: laneFigures(db),
    ...laneRateStore(db, clock),
    ...laneEntryStore(db),
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
        })
        .where('id', '=', id)
        .where('is_paused', '=', 0)
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
  }
}
