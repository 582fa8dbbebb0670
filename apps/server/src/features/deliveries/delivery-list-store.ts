import type { DeliveryKind, DeliveryState } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { ListQuery } from '../../db/listing.ts'
import { listedMax } from '../../db/long-list.ts'

export interface DeliveryFilter extends ListQuery {
  state?: DeliveryState | '' | undefined
  kind?: DeliveryKind | '' | undefined
  place?: string | undefined
  workflow?: number | undefined
  run?: number | undefined
}

/** Dead deliveries of a receiver. */
export interface DeadAt {
  place: string
  kinds: readonly DeliveryKind[]
}

export type ListedDelivery = NonNullable<
  Awaited<ReturnType<ReturnType<typeof deliveryListStore>['find']>>
>

/** Reads deliveries for screens; a part of their store. */
export function deliveryListStore(db: Db) {
  const shown = () =>
    db
      .selectFrom('delivery')
      .leftJoin('workflow', 'workflow.id', 'delivery.workflow_id')
      .selectAll('delivery')
      .select((each) => [
        'workflow.name as workflow_name',
        each
          .selectFrom('delivery as earlier')
          .select((from) => from.fn.min('earlier.id').as('id'))
          .whereRef('earlier.order_key', '=', 'delivery.order_key')
          .whereRef('earlier.id', '<', 'delivery.id')
          .where('earlier.state', '=', 'waiting')
          .as('waits_for'),
      ])

  const idsOf = (
    { state, kind, place, workflow, run }: DeliveryFilter,
    kinds: readonly DeliveryKind[],
  ) => {
    let query = db.selectFrom('delivery').select('id').where('kind', 'in', kinds)
    if (state) query = query.where('state', '=', state)
    if (kind) query = query.where('kind', '=', kind)
    if (place) query = query.where('place', '=', place)
    if (workflow) query = query.where('workflow_id', '=', workflow)
    if (run) query = query.where('run_id', '=', run)
    return query
  }

  return {
    /** Of these kinds; ends after 10,000 rows. */
    list: async (filter: DeliveryFilter, kinds: readonly DeliveryKind[]) => {
      const { page, limit, sort } = filter
      const { found } = await db
        .selectFrom(
          idsOf(filter, kinds)
            .limit(listedMax + 1)
            .as('counted'),
        )
        .select(sql<number>`count(*)`.as('found'))
        .executeTakeFirstOrThrow()
      const total = Math.min(found, listedMax)
      const count = Math.max(0, Math.min(limit, total - (page - 1) * limit))
      const order = sort === 'id' ? 'asc' : 'desc'
      const ids = idsOf(filter, kinds).orderBy('id', order).limit(count)
      const rows =
        count === 0
          ? []
          : await shown()
              .where('delivery.id', 'in', ids.offset((page - 1) * limit))
              .orderBy('delivery.id', order)
              .execute()
      return { rows, total, hasMore: found > listedMax, isSearchPartial: false }
    },
    find: (id: number) => shown().where('delivery.id', '=', id).executeTakeFirst(),
    countDead: async ({ place, kinds }: DeadAt) => {
      const { count } = await db
        .selectFrom('delivery')
        .select(sql<number>`count(*)`.as('count'))
        .where('place', '=', place)
        .where('kind', 'in', kinds)
        .where('state', '=', 'dead')
        .executeTakeFirstOrThrow()
      return count
    },
  }
}
