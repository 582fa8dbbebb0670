import type { FiringState } from '@gatehouse/contract'
import type { Db } from '../../db/connect.ts'
import { containsWords, readPage, type ListQuery } from '../../db/listing.ts'
import type { NewRow, Row } from '../../db/tables.ts'
import { isUnheld, leasedRows } from '../../kernel/leases/leased-rows.ts'
import type { LeaseWish } from '../../kernel/leases/lease-time.ts'

export type FiringRow = Row<'schedule_firing'>

export interface FiringFilter extends ListQuery {
  state?: FiringState | undefined
}

/** More firings of a schedule than these are not kept. */
const keptMax = 1000

/** What schedules did, and what they have taken. */
export function firingStore(db: Db) {
  const ofSchedule = (scheduleId: number) =>
    db.selectFrom('schedule_firing').where('schedule_id', '=', scheduleId)

  return {
    ...leasedRows(db, 'schedule_firing', 'running'),
    /** Undefined where this moment has fired before. */
    insert: (row: NewRow<'schedule_firing'>) =>
      db
        .insertInto('schedule_firing')
        .values(row)
        .onConflict((conflict) => conflict.columns(['schedule_id', 'planned_for']).doNothing())
        .returningAll()
        .executeTakeFirst(),
    /** The one that goes on. */
    findRunning: (scheduleId: number) =>
      ofSchedule(scheduleId).select('id').where('state', '=', 'running').executeTakeFirst(),
    /** A run that the schedule started and that has not been sent to its end. */
    findOpenRun: (scheduleId: number) =>
      db
        .selectFrom('schedule_item')
        .innerJoin('run', 'run.id', 'schedule_item.run_id')
        .select('run.id')
        .where('schedule_item.firing_id', '=', (where) =>
          where
            .selectFrom('schedule_firing')
            .select(({ fn }) => fn.max('id').as('id'))
            .where('schedule_id', '=', scheduleId)
            .where('state', '=', 'done'),
        )
        .where('run.state', 'in', ['queued', 'running'])
        .executeTakeFirst(),
    /** Firings whose server has stopped, the oldest first. */
    listLeft: (wish: LeaseWish, limit: number, only?: readonly number[]) =>
      db
        .selectFrom('schedule_firing')
        .selectAll()
        .where('state', '=', 'running')
        .where(isUnheld(wish))
        .$if(only !== undefined, (rows) => rows.where('schedule_id', 'in', [...(only ?? []), 0]))
        .orderBy('lease_until')
        .limit(limit)
        .execute(),
    list: (scheduleId: number, { state, ...query }: FiringFilter) =>
      readPage(
        ofSchedule(scheduleId)
          .selectAll()
          .$if(state !== undefined, (rows) => rows.where('state', '=', state ?? 'done'))
          .$if(query.search !== '', (rows) =>
            rows.where(containsWords(query.search, ['message', 'planned_for'])),
          )
          .orderBy('id', query.sort === 'id' ? 'asc' : 'desc'),
        query,
      ),
    /** The last of each schedule. */
    listLast: async (scheduleIds: readonly number[]) => {
      if (scheduleIds.length === 0) return []
      return db
        .selectFrom('schedule_firing')
        .selectAll()
        .where('id', 'in', (where) =>
          where
            .selectFrom('schedule_firing as each')
            .select(({ fn }) => fn.max('each.id').as('id'))
            .where('each.schedule_id', 'in', scheduleIds)
            .groupBy('each.schedule_id'),
        )
        .execute()
    },
    removeOld: (scheduleId: number) =>
      db
        .deleteFrom('schedule_firing')
        .where('schedule_id', '=', scheduleId)
        .where('id', '<', (where) =>
          where
            .selectFrom('schedule_firing as each')
            .select('each.id')
            .where('each.schedule_id', '=', scheduleId)
            .orderBy('each.id', 'desc')
            .offset(keptMax - 1)
            .limit(1),
        )
        .execute(),
    /** False where it was taken before. */
    insertItem: async (row: NewRow<'schedule_item'>) => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('schedule_item')
        .values(row)
        .onConflict((conflict) => conflict.columns(['schedule_id', 'item_key']).doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },
    /** Of some items, those that were taken, with the firing that took them. */
    listTaken: async (scheduleId: number, keys: readonly string[]) => {
      if (keys.length === 0) return []
      return db
        .selectFrom('schedule_item')
        .select(['item_key', 'firing_id'])
        .where('schedule_id', '=', scheduleId)
        .where('item_key', 'in', keys)
        .execute()
    },
    listRuns: (firingId: number, scheduleId: number, query: ListQuery) =>
      readPage(
        db
          .selectFrom('schedule_item')
          .innerJoin('run', 'run.id', 'schedule_item.run_id')
          .select(['run.id', 'run.state', 'run.reference', 'run.created_at'])
          .where('schedule_item.firing_id', '=', firingId)
          .where('schedule_item.schedule_id', '=', scheduleId)
          .orderBy('run.id', query.sort === '-id' ? 'desc' : 'asc'),
        query,
      ),
  }
}
