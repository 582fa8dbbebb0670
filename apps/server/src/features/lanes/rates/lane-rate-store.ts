import type { Db } from '../../../db/connect.ts'
import { lockedForChange, sharedTimeMs } from '../../../db/dialect.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { readRate, type RateState } from './rate-windows.ts'

/** The calls of lanes that count towards their limits; a part of the store of lanes. */
export function laneRateStore(db: Db, clock: Clock) {
  const nowMs = () =>
    sharedTimeMs(db, { ownMs: clock.now().getTime(), isOwn: clock.isSystem !== true })
  const find = (laneId: number) =>
    lockedForChange(
      db,
      db
        .selectFrom('lane_rate')
        .select(['state', nowMs().as('now_ms')])
        .where('lane_id', '=', laneId),
    ).executeTakeFirst()

  return {
    /** The calls of a lane, and the time of the clock that they are noted by. Locks them until the commit. */
    holdRate: async (laneId: number): Promise<{ state: RateState; nowMs: number }> => {
      let row = await find(laneId)
      if (!row) {
        await db
          .insertInto('lane_rate')
          .values({ lane_id: laneId, state: JSON.stringify(readRate(null)) })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        row = await find(laneId)
      }
      if (!row) throw new Error(`The rate of lane ${laneId} can’t be read.`)
      return { state: readRate(row.state), nowMs: row.now_ms }
    },
    /** The calls of a lane as JSON, without a lock; undefined where none was counted yet. */
    findRate: (laneId: number) =>
      db.selectFrom('lane_rate').select('state').where('lane_id', '=', laneId).executeTakeFirst(),
    saveRate: (laneId: number, state: RateState) =>
      db
        .updateTable('lane_rate')
        .set({ state: JSON.stringify(state) })
        .where('lane_id', '=', laneId)
        .execute(),
  }
}
