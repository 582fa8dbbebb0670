import type { DeliveryKind } from '@gatehouse/contract'
import type { Db } from '../../db/connect.ts'
import { isUnheld } from '../../kernel/leases/leased-rows.ts'
import type { LeaseWish } from '../../kernel/leases/lease-time.ts'

export interface ClaimOptions {
  lease: LeaseWish
  /** The most to take. */
  limit: number
  /** The most to take for one place. */
  perPlace: number
  /** How many tries this server has under way, by place. */
  underWay: ReadonlyMap<string, number>
  /** Those of this kind wait. */
  without?: DeliveryKind
}

/** Rows that are looked at together. */
const lookedAt = 200

/**
 * The deliveries whose turn it is. Places that have as many tries under way as they may are left out, so
 * that those to a receiver that hangs stand in nobody's way, however many they are.
 */
export async function dueDeliveries(db: Db, options: ClaimOptions): Promise<number[]> {
  const { lease, limit, perPlace } = options
  const underWay = new Map(options.underWay)
  const chosen: number[] = []
  for (;;) {
    const full = [...underWay].flatMap(([place, count]) => (count >= perPlace ? [place] : []))
    const rows = await listDue(db, lease, { full, chosen, kind: options.without })
    const before = chosen.length
    for (const { id, place } of rows) {
      const count = underWay.get(place) ?? 0
      if (chosen.length >= limit) return chosen
      if (count >= perPlace) continue
      underWay.set(place, count + 1)
      chosen.push(id)
    }
    if (rows.length < lookedAt || chosen.length === before) return chosen
  }
}

interface Without {
  full: readonly string[]
  chosen: readonly number[]
  kind: DeliveryKind | undefined
}

/** Of those with the same order key, the first that waits is the only one. */
function listDue(db: Db, lease: LeaseWish, { full, chosen, kind }: Without) {
  return db
    .selectFrom('delivery as due')
    .select(['due.id', 'due.place'])
    .where('due.state', '=', 'waiting')
    .where('due.next_try_at', '<=', lease.now)
    .where(isUnheld(lease, 'due'))
    .$if(full.length > 0, (query) => query.where('due.place', 'not in', full))
    .$if(kind !== undefined, (query) => query.where('due.kind', '<>', kind ?? 'test'))
    .$if(chosen.length > 0, (query) => query.where('due.id', 'not in', chosen))
    .where((each) =>
      each.or([
        each('due.order_key', 'is', null),
        each.not(
          each.exists(
            each
              .selectFrom('delivery as earlier')
              .select('earlier.id')
              .whereRef('earlier.order_key', '=', 'due.order_key')
              .whereRef('earlier.id', '<', 'due.id')
              .where('earlier.state', '=', 'waiting'),
          ),
        ),
      ]),
    )
    .orderBy('due.next_try_at')
    .orderBy('due.id')
    .limit(lookedAt)
    .execute()
}
