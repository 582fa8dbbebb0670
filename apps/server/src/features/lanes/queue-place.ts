import type { QueuePlace } from '@gatehouse/contract'
import type { Stores } from '../../stores.ts'
import { laneTryWords, outageWords, pauseWords } from './lane-record.ts'
import type { LaneEntryRow, LaneRow } from './lane-store.ts'
import { limitsOf } from './rates/rate-limits.ts'
import { findLimit, readRate } from './rates/rate-windows.ts'

/** Where a queued run is, and what it waits for; null where it is not queued. */
export async function queuePlaceOf(
  { lanes }: Pick<Stores, 'lanes'>,
  runId: number,
  now: Date,
): Promise<QueuePlace | null> {
  const entry = await lanes.findEntry(runId)
  const lane = entry && (await lanes.find(entry.lane_id))
  if (!lane || (entry.state !== 'queued' && entry.state !== 'waiting')) return null
  const at = now.toISOString()
  const tryAt = [entry.next_try_at, lane.next_try_at].filter((moment) => moment !== null)
  return {
    lane: { id: lane.id, name: lane.name },
    queued_at: entry.queued_at,
    tries: entry.tries,
    next_try_at:
      tryAt
        .filter((moment) => moment > at)
        .toSorted()
        .at(-1) ?? null,
    deadline_at: entry.deadline_at,
    waiting_for: (await holdOf(lanes, entry, lane)) ?? (await turnOf(lanes, entry, lane, now)),
    last_failure: entry.message,
  }
}

/** What keeps it back for longer; undefined where nothing does. */
async function holdOf(lanes: Stores['lanes'], entry: LaneEntryRow, lane: LaneRow) {
  if (entry.state === 'waiting') return 'Its batch is paused.'
  if (entry.is_first === 0 && entry.order_key !== null) {
    const first = await lanes.findFirstOf(entry.lane_id, entry.order_key)
    return `Run ${first} has the same order key and goes first.`
  }
  if (lane.is_paused === 1) return `Its lane is paused. ${pauseWords(lane)}`
  return lane.outage_since === null ? undefined : `The authority: ${outageWords(lane)}`
}

/** What it waits for in a lane that works; null where it is about to be sent. */
async function turnOf(lanes: Stores['lanes'], entry: LaneEntryRow, lane: LaneRow, now: Date) {
  const at = now.toISOString()
  if (lane.next_try_at !== null && lane.next_try_at > at) return laneTryWords
  if (entry.next_try_at !== null && entry.next_try_at > at)
    return 'Its next try, after one that failed.'
  const running = await lanes.countRunning(lane.id)
  if (running >= lane.concurrency)
    return `A place: ${running} of ${lane.concurrency} runs of its lane are under way.`
  const rate = await lanes.findRate(lane.id)
  const limit = findLimit(readRate(rate?.state ?? null), limitsOf(lane), now.getTime())
  if (limit !== undefined) return limit
  const [next] = await lanes.listNext(lane.id, at, 1)
  return next && next.run_id !== entry.run_id ? `Its turn: run ${next.run_id} goes first.` : null
}
