import type { Stores } from '../../../stores.ts'
import { removeFromLane } from '../ledger/leave-lane.ts'
import type { RunRow } from '../ledger/run-store.ts'

/** The run is cancelled and overtaken: its document is accepted by `by`. False where it has changed meanwhile. */
export async function overtake(
  stores: Stores,
  run: RunRow,
  by: number,
  now: Date,
): Promise<boolean> {
  const isOurs = await stores.runs.moveRun(run, {
    state: 'cancelled',
    epoch: run.epoch + 1,
    finished_at: now.toISOString(),
    overtaken_by: by,
  })
  const entry = isOurs ? await stores.lanes.findEntry(run.id) : undefined
  if (entry) await removeFromLane(stores, entry)
  return isOurs
}
