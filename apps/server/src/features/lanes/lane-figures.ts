import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Row } from '../../db/tables.ts'

/** What a lane holds and does now. */
export interface LaneFigures {
  lane: Row<'lane'>
  workflows: { id: number; slug: string; name: string }[]
  depth: number
  running: number
  /** When the run that was taken first was taken, of those that wait; null where none waits. */
  oldestAt: string | null
  /** The first deadline of its runs; null where none has one. */
  deadlineAt: string | null
  /** The next moment at which a run that waits may be tried; null where none has to wait. */
  nextRunAt: string | null
  /** Runs that ended since `since`. */
  ended: number
  /** How its calls are counted: see `rate-windows.ts`. */
  rate: string | null
}

/** By an index of its own, whatever the number of runs. */
const firstDeadline = sql<string | null>`(select min(deadline_at) from lane_entry
  where lane_entry.lane_id = lane.id and deadline_at is not null)`

/** The figures of lanes, in four statements whatever their number; a part of the store of lanes. */
export function laneFigures(db: Db) {
  /** Of every lane, or of one. */
  return async ({ since, laneId }: { since: string; laneId?: number }): Promise<LaneFigures[]> => {
    const lanes = db
      .selectFrom('lane')
      .leftJoin('lane_rate', 'lane_rate.lane_id', 'lane.id')
      .selectAll('lane')
      .select('lane_rate.state as rate')
      .select(firstDeadline.as('deadline_at'))
      .orderBy('lane.name')
    const rows = await (
      laneId === undefined ? lanes : lanes.where('lane.id', '=', laneId)
    ).execute()
    const workflows = await db
      .selectFrom('workflow')
      .select(['id', 'slug', 'name', 'lane_id'])
      .where('deleted_at', 'is', null)
      .orderBy('name')
      .execute()
    const counts = await db
      .selectFrom('lane_entry')
      .select(['lane_id', 'state'])
      .select(sql<number>`count(*)`.as('count'))
      .select(sql<number>`min(run_id)`.as('first'))
      .groupBy(['lane_id', 'state'])
      .execute()
    const firsts = counts.flatMap(({ state, first }) => (state === 'queued' ? [first] : []))
    const waits =
      firsts.length === 0
        ? []
        : await db
            .selectFrom('lane_entry')
            .select(['lane_id', 'queued_at'])
            .where('run_id', 'in', firsts)
            .execute()
    const tries = await db
      .selectFrom('lane_entry')
      .select('lane_id')
      .select(sql<string>`min(next_try_at)`.as('at'))
      .where('state', '=', 'queued')
      .where('next_try_at', 'is not', null)
      .groupBy('lane_id')
      .execute()
    const ended = await db
      .selectFrom('run')
      .innerJoin('workflow', 'workflow.id', 'run.workflow_id')
      .select('workflow.lane_id')
      .select(sql<number>`count(*)`.as('count'))
      .where('run.finished_at', '>=', since)
      .groupBy('workflow.lane_id')
      .execute()
    return rows.map(({ rate, deadline_at, ...lane }) => {
      const ofLane = (each: { lane_id: number }) => each.lane_id === lane.id
      const countOf = (state: string) =>
        counts.find((each) => ofLane(each) && each.state === state)?.count ?? 0
      return {
        lane,
        rate,
        workflows: workflows.filter(ofLane).map(({ id, slug, name }) => ({ id, slug, name })),
        depth: countOf('queued'),
        running: countOf('running'),
        deadlineAt: deadline_at,
        oldestAt: waits.find(ofLane)?.queued_at ?? null,
        nextRunAt: tries.find(ofLane)?.at ?? null,
        ended: ended.find(ofLane)?.count ?? 0,
      }
    })
  }
}
