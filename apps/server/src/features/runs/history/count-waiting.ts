import type { RunState, WaitingRuns } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { listedMax } from '../../../db/long-list.ts'
import { runFilters } from './run-filters.ts'

/** What an authority decides later, or a person before it is sent, is not open work. */
const workOf = (state: RunState) =>
  state === 'pending' || state === 'waits_for_release' ? ('' as const) : ('open' as const)

/**
 * The totals of the history, filtered by each state and by open work, with the oldest run of each: what
 * `list` counts for `?state=rejected&work=open`, and for the register where one is named.
 */
export async function countWaiting(
  db: Db,
  states: readonly RunState[],
  register: string,
): Promise<WaitingRuns[]> {
  const counts = []
  for (const state of states) {
    const work = workOf(state)
    const list = { page: 1, limit: 1, search: '', reference: '', user: '', key: '', register }
    const where = sql.join(await runFilters(db, { ...list, state, work }), sql` and `)
    counts.push(sql`select ${sql.lit(state)} as state,
      (select count(*) from (select 1 from run where ${where} limit ${sql.lit(listedMax + 1)}) as counted) as total,
      (select min(created_at) from run where ${where}) as oldest_at`)
  }
  const { rows } = await sql<
    Omit<WaitingRuns, 'has_more'>
  >`${sql.join(counts, sql` union all `)}`.execute(db)
  return rows.map(({ state, total, oldest_at }) => ({
    state,
    total: Math.min(total, listedMax),
    has_more: total > listedMax,
    oldest_at,
  }))
}
