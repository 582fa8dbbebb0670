import { randomBytes } from 'node:crypto'
import { sql, type UpdateResult } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { NewRow, Row, RowChange } from '../../db/tables.ts'
import type { Clock } from '../../kernel/clock.ts'
import { leasedRows } from '../../kernel/leases/leased-rows.ts'
import { dueDeliveries, type ClaimOptions } from './claim-deliveries.ts'
import { deliveryListStore, type DeadAt } from './delivery-list-store.ts'
import { placeOf, type DeliveryTarget } from './delivery-target.ts'
import { giveUpAfterMs } from './next-try.ts'

export type DeliveryStore = ReturnType<typeof deliveryStore>
export type StoredDelivery = Row<'delivery'>

/** Something to send, and what it belongs to. */
interface NewDelivery extends Pick<NewRow<'delivery'>, 'kind' | 'channel' | 'subject'> {
  target: DeliveryTarget
  /** What is sent, byte for byte. */
  payload: string
  /** Deliveries with the same key are sent in the order in which they were inserted. */
  orderKey?: string | null
  workflowId?: number | null
  runId?: number | null
  batchId?: number | null
  alarmId?: number | null
}

const isChanged = ({ numUpdatedRows }: UpdateResult) => numUpdatedRows > 0n

/** What is to be sent to receivers, what was, and what was given up. */
export function deliveryStore(db: Db, clock: Clock) {
  const held = leasedRows(db, 'delivery', 'waiting')
  return {
    ...deliveryListStore(db),
    /** Call it in the transaction of what causes the delivery: both are committed, or none. */
    insert: async (delivery: NewDelivery): Promise<number> => {
      const { target, orderKey, workflowId, runId, batchId, alarmId, ...plain } = delivery
      const at = clock.now()
      const { id } = await db
        .insertInto('delivery')
        .values({
          ...plain,
          message_id: `msg_${randomBytes(16).toString('hex')}`,
          target: JSON.stringify(target),
          place: placeOf(target),
          order_key: orderKey ?? null,
          workflow_id: workflowId ?? null,
          run_id: runId ?? null,
          batch_id: batchId ?? null,
          alarm_id: alarmId ?? null,
          created_at: at.toISOString(),
          next_try_at: at.toISOString(),
          give_up_at: new Date(at.getTime() + giveUpAfterMs).toISOString(),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    /** Takes deliveries that are due and that no server sends. Of several servers, each takes others. */
    claim: async (options: ClaimOptions): Promise<StoredDelivery[]> => {
      const ids = await dueDeliveries(db, options)
      if (ids.length === 0) return []
      return held.claim(ids, options.lease)
    },
    finish: held.finish,
    releaseOwn: held.releaseOwn,
    /** Changes a delivery that is in one of these states. False: it is in none of them. */
    move: async (
      id: number,
      from: readonly StoredDelivery['state'][],
      change: RowChange<'delivery'>,
    ) =>
      isChanged(
        await db
          .updateTable('delivery')
          .set(change)
          .where('id', '=', id)
          .where('state', 'in', from)
          .executeTakeFirst(),
      ),
    /** Lets the dead ones of a place wait again, the oldest first, `limit` at most. */
    /** Of these kinds alone. */
    revive: async ({ place, kinds }: DeadAt, limit: number, change: RowChange<'delivery'>) => {
      const rows = await db
        .updateTable('delivery')
        .set({ ...change, state: 'waiting', ended_at: null })
        .where('id', 'in', (each) =>
          each
            .selectFrom('delivery')
            .select('id')
            .where('place', '=', place)
            .where('kind', 'in', kinds)
            .where('state', '=', 'dead')
            .orderBy('id')
            .limit(limit),
        )
        .returning('id')
        .execute()
      return rows.length
    },
    /** Removes the oldest that ended before, `limit` at most. Returns how many. */
    removeEnded: async (
      states: readonly StoredDelivery['state'][],
      before: string,
      limit: number,
    ) => {
      const { numDeletedRows } = await db
        .deleteFrom('delivery')
        .where('id', 'in', (each) =>
          each
            .selectFrom('delivery')
            .select('id')
            .where('ended_at', '<', before)
            .where('state', 'in', states)
            .orderBy('ended_at')
            .limit(limit),
        )
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
    /** For the metrics: how many wait and are dead, and since when the oldest waits. */
    measure: async () => {
      const rows = await db
        .selectFrom('delivery')
        .select([
          'state',
          sql<number>`count(*)`.as('count'),
          sql<string | null>`min(created_at)`.as('oldest'),
        ])
        .where('state', 'in', ['waiting', 'dead'])
        .groupBy('state')
        .execute()
      const of = (state: string) => rows.find((row) => row.state === state)
      return {
        waiting: of('waiting')?.count ?? 0,
        dead: of('dead')?.count ?? 0,
        oldestAt: of('waiting')?.oldest ?? null,
      }
    },
  }
}
