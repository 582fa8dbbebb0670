import type { Row } from '../../../db/tables.ts'
import type { Stores } from '../../../stores.ts'
import { orderLock } from '../ledger/leave-lane.ts'

interface Entering {
  id: number
  /** Counts where the lane keeps a strict order. */
  orderKey: string | null
  /** 0: a caller waits; 1: a line of a batch. */
  priority: 0 | 1
  /** Not sent after this moment; null: no deadline. */
  deadlineAt: string | null
  now: string
  /** What a person released. */
  releasedSha256?: string
}

/** Gives a run its place in its lane, in the transaction in which it becomes queued. */
export async function enterLane(
  stores: Stores,
  lane: Pick<Row<'lane'>, 'id' | 'is_strict_order'>,
  { id, now, orderKey, priority, deadlineAt, releasedSha256 }: Entering,
): Promise<void> {
  const order_key = lane.is_strict_order ? orderKey : null
  const is_first = (await isFirst(stores, lane.id, order_key)) ? 1 : 0
  stores.withCommit(
    stores.lanes.insertEntry({
      run_id: id,
      lane_id: lane.id,
      priority,
      state: 'queued',
      order_key,
      is_first,
      queued_at: now,
      next_try_at: null,
      deadline_at: deadlineAt,
      message: null,
      released_sha256: releasedSha256 ?? null,
    }),
  )
}

/** Of two runs that are queued at once, the second waits for the commit of the first. */
async function isFirst({ runs, lanes }: Stores, laneId: number, orderKey: string | null) {
  if (orderKey === null) return true
  await runs.lock(orderLock(laneId, orderKey))
  return !(await lanes.hasOrderKey(laneId, orderKey))
}
