import type { LaneRecord, LaneState } from '@gatehouse/contract'
import { readRow } from '../../db/tables/column.ts'
import { laneForm } from '../../db/tables/workflows.ts'
import { findLimit, readRate } from './rates/rate-windows.ts'
import { limitsOf } from './rates/rate-limits.ts'
import type { LaneFigures } from './lane-figures.ts'
import type { LaneRow } from './lane-store.ts'

/** A lane as it is shown: its settings, what is in it, and what it waits for. */
export function laneRecordOf(figures: LaneFigures, now: Date): LaneRecord {
  const { lane, workflows, depth, running, oldestAt, deadlineAt, ended } = figures
  const { state, waitingFor, nextTryAt } = stateOf(figures, now)
  return {
    id: lane.id,
    ...readRow(laneForm, lane),
    state,
    workflows,
    depth,
    running,
    oldest_at: oldestAt,
    deadline_at: deadlineAt,
    rate_per_minute: ended,
    waiting_for: waitingFor,
    next_try_at: nextTryAt,
    outage_since: lane.outage_since,
    paused:
      lane.is_paused === 1
        ? { at: lane.paused_at ?? '', by: lane.paused_by, reason: lane.pause_reason }
        : null,
  }
}

export function pauseWords({ paused_by, pause_reason }: LaneRow): string {
  const by = paused_by === null ? 'The lane has paused itself' : `Paused by ${paused_by}`
  return pause_reason === '' ? `${by}.` : `${by}: ${pause_reason}`
}

export const outageWords = ({ failures }: LaneRow) =>
  `${failures} tries in a row failed. One run at a time finds out whether the authority works again.`

export const laneTryWords = 'The authority asked to wait.'

interface Waiting {
  state: LaneState
  waitingFor: string | null
  nextTryAt: string | null
}

function stateOf(figures: LaneFigures, now: Date): Waiting {
  const { lane, depth, running } = figures
  const at = now.toISOString()
  const laterOf = (moment: string | null) => (moment !== null && moment > at ? moment : null)
  const laneTryAt = laterOf(lane.next_try_at)
  if (lane.is_paused === 1) {
    return { state: 'paused', waitingFor: pauseWords(lane), nextTryAt: null }
  }
  if (lane.outage_since !== null) {
    return { state: 'outage', waitingFor: outageWords(lane), nextTryAt: laneTryAt }
  }
  const waits = waitOf(figures, laneTryAt, laterOf(figures.nextRunAt), now)
  if (lane.is_draining === 1)
    return { state: 'draining', waitingFor: null, nextTryAt: null, ...waits }
  if (waits && depth > 0 && running < lane.concurrency) return { state: 'waiting', ...waits }
  const state = depth + running > 0 ? 'working' : 'idle'
  return { state, waitingFor: null, nextTryAt: null }
}

/** What keeps queued runs from being started; undefined where nothing does, or only a place is missing. */
function waitOf(
  { lane, rate, depth, running }: LaneFigures,
  laneTryAt: string | null,
  runTryAt: string | null,
  now: Date,
): Omit<Waiting, 'state'> | undefined {
  if (depth === 0) return undefined
  if (laneTryAt !== null) return { waitingFor: laneTryWords, nextTryAt: laneTryAt }
  const limit = findLimit(readRate(rate), limitsOf(lane), now.getTime())
  if (limit !== undefined) return { waitingFor: limit, nextTryAt: null }
  if (running > 0) return undefined
  if (runTryAt !== null)
    return { waitingFor: 'The next try of a run that failed.', nextTryAt: runTryAt }
  return lane.is_strict_order === 1
    ? {
        waitingFor: 'Earlier runs with the same order key, whose outcome is not known yet.',
        nextTryAt: null,
      }
    : undefined
}
