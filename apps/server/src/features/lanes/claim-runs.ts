import { allOf } from '../../db/all-of.ts'
import type { Row } from '../../db/tables.ts'
import type { Stores } from '../../stores.ts'
import type { Permits } from '../runs/ledger/reading/live-run.ts'
import { removeFromLane } from '../runs/ledger/leave-lane.ts'
import type { Granted } from './rates/lane-permits.ts'
import { isLimited, limitsOf } from './rates/rate-limits.ts'
import type { LaneEntryRow, LaneRow } from './lane-store.ts'

export interface TakenRun {
  run: Row<'run'>
  entry: LaneEntryRow
  /** What its calls wait for; absent: for nothing. */
  permits?: Permits
}

interface Claim {
  lane: LaneRow
  taken: TakenRun[]
  /** Where the limits of the lane keep runs back: after how long one may be taken. */
  waitMs?: number | undefined
}

interface Claiming {
  laneId: number
  lease: { owner: string; until: string }
  now: string
  /** Counts the first calls of runs towards the limits of the lane. */
  count: (stores: Stores, lane: LaneRow, wanted: number) => Promise<Granted>
}

/** The most runs under way at once that a lane can be set to. */
const concurrencyMax = 64

/** Whether the lane may start a run now. */
const mayStart = (lane: LaneRow, now: string) =>
  lane.is_paused === 0 && (lane.next_try_at === null || lane.next_try_at <= now)

/**
 * Takes the next runs of a lane for this server, as many as have a place, in one transaction. `busy` where
 * another server claims from the lane at this moment.
 */
export async function claimRuns(
  stores: Stores,
  { laneId, lease, now, count }: Claiming,
): Promise<Claim | 'busy'> {
  const { lanes, runs, installationHold } = stores
  // Read under the lock of the lane, and sent together with it.
  const [lane, running, queued, isHeld] = await allOf([
    lanes.take(laneId),
    lanes.countRunning(laneId),
    lanes.listNext(laneId, now, concurrencyMax),
    installationHold.isHeld({ lane: laneId }),
  ])
  if (!lane) return 'busy'
  if (isHeld || !mayStart(lane, now)) return { lane, taken: [] }
  // While the authority is away, one run at a time finds out whether it is back.
  const places = lane.outage_since === null ? lane.concurrency : 1
  const next = queued.slice(0, Math.max(0, places - running))
  const isCounted = next.length > 0 && isLimited(limitsOf(lane))
  const granted = isCounted ? await count(stores, lane, next.length) : undefined
  const entries = granted ? next.slice(0, granted.calls) : next
  const waitMs = entries.length < next.length ? granted?.waitMs : undefined
  if (entries.length === 0) return { lane, taken: [], waitMs }
  const ids = entries.map(({ run_id }) => run_id)
  const [, rows] = await allOf([lanes.startEntries(ids), runs.takeQueued(lease, ids, now)])
  const taken: TakenRun[] = []
  for (const entry of entries) {
    const run = rows.find(({ id }) => id === entry.run_id)
    if (run) taken.push({ run, entry: { ...entry, state: 'running' } })
    // It is queued no more: its place is left over.
    else await removeFromLane(stores, entry)
  }
  return { lane, taken, waitMs }
}
