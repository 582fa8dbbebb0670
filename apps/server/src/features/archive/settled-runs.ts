import type { ArchiveClass, RunState } from '@gatehouse/contract'
import { sql, type Expression, type SqlBool } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** What decides whether the bodies and answers of a run may go, and when. */
export interface RunVerdict {
  id: number
  class: ArchiveClass
  /** Null: it is not settled. */
  endedAt: string | null
}

const yes = (condition: Expression<SqlBool>) =>
  sql<number>`case when ${condition} then 1 else 0 end`

/** Where something of a run is under way, or may be. */
const openParts = sql<SqlBool>`(
  exists (select 1 from run_step where run_step.run_id = run.id
    and run_step.state in ('sending', 'unknown', 'pending'))
  or exists (select 1 from run_step join run_attempt on run_attempt.step_id = run_step.id
    where run_step.run_id = run.id and run_attempt.finished_at is null
    and run_attempt.kind in ('send', 'resend', 'status_query'))
  or exists (select 1 from run_step join pending_step on pending_step.step_id = run_step.id
    where run_step.run_id = run.id)
  or exists (select 1 from lane_entry where lane_entry.run_id = run.id)
  or exists (select 1 from document_step where document_step.run_id = run.id
    and document_step.state in ('sending', 'unknown', 'pending')))`

const hasSteps = sql<SqlBool>`exists (select 1 from run_step where run_step.run_id = run.id)`
const changes = sql<SqlBool>`exists (select 1 from run_step where run_step.run_id = run.id
  and run_step.effect <> 'read')`

/** Says of runs which class they have and whether they are settled (docs/archive.md). */
export async function judgeRuns(db: Db, ids: readonly number[]): Promise<RunVerdict[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('run')
    .select([
      'run.id',
      'run.is_test',
      'run.state',
      'run.finished_at',
      yes(sql<SqlBool>`run.closed_at is not null or run.overtaken_by is not null`).as(
        'is_put_away',
      ),
      yes(hasSteps).as('has_steps'),
      yes(changes).as('changes'),
      yes(openParts).as('is_open'),
    ])
    .where('run.id', 'in', ids)
    .orderBy('run.id')
    .execute()
  const needed = await neededByOthers(db, ids)
  return rows.map((row) => {
    // Of a run without steps nothing was sent, but it was meant to be.
    const isRead = row.has_steps === 1 && row.changes === 0
    const name = row.is_test === 1 ? 'test' : isRead ? 'read' : 'submit'
    const isSettled =
      row.is_open === 0 && !needed.has(row.id) && isOver(row.state, name, row.is_put_away === 1)
    return { id: row.id, class: name, endedAt: isSettled ? row.finished_at : null }
  })
}

/** Ended for good. What a person may still continue counts only where nothing outside depends on it. */
function isOver(state: RunState, name: ArchiveClass, isPutAway: boolean): boolean {
  if (state === 'succeeded' || state === 'rejected' || state === 'cancelled') return true
  if (state === 'stopped' || state === 'blocked' || state === 'not_started')
    return isPutAway || name !== 'submit'
  return state === 'partial' && isPutAway
}

/** Runs whose answers a later one uses that goes on by itself. */
async function neededByOthers(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ origin: number }>`
    with recursive later (origin, id) as (
      select retry_of, id from run where retry_of in (${sql.join(ids)})
      union all
      select later.origin, run.id from run join later on run.retry_of = later.id)
    select distinct later.origin as origin from later join run on run.id = later.id
    where run.state in ('running', 'queued', 'pending', 'waits_for_release')`.execute(db)
  return new Set(rows.map(({ origin }) => origin))
}
