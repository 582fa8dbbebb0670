import type { BatchRecord, RunState } from '@gatehouse/contract'
import type { Clock } from '../../../kernel/clock.ts'
import type { BatchRow, BatchStore } from './batch-store.ts'

const minuteMs = 60_000
/** States from which a run goes on by itself. */
const left: readonly RunState[] = ['queued', 'running', 'pending']

/** A batch with its progress, counted by index. */
export async function viewBatch(
  batches: BatchStore,
  row: BatchRow,
  clock: Clock,
): Promise<BatchRecord> {
  const counts: BatchRecord['counts'] = {}
  for (const { state, count } of await batches.countStates(row)) counts[state] = count
  const since = new Date(clock.now().getTime() - minuteMs).toISOString()
  const rate = await batches.countEndedSince(row, since)
  const open = left.reduce((sum, state) => sum + (counts[state] ?? 0), 0)
  return {
    id: row.id,
    workflow: { slug: row.slug, version: row.workflow_version },
    user_name: row.user_name,
    file_name: row.file_name,
    total: row.total,
    is_test: row.is_test === 1,
    state: stateOf(row, open),
    counts,
    rate_per_minute: rate,
    seconds_left: open > 0 && rate > 0 ? Math.ceil((open / rate) * 60) : null,
    created_at: row.created_at,
  }
}

function stateOf(row: BatchRow, open: number): BatchRecord['state'] {
  if (row.cancelled_at !== null) return 'cancelled'
  if (open === 0) return 'finished'
  return row.is_paused === 1 ? 'paused' : 'running'
}
