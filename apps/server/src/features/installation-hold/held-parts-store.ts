import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

const listedMax = 1000

/** What waits while the installation is held. */
export function heldPartsStore(db: Db) {
  return {
    listLanes: () =>
      db
        .selectFrom('lane')
        .leftJoin('lane_entry', (join) =>
          join.onRef('lane_entry.lane_id', '=', 'lane.id').on('lane_entry.state', '=', 'queued'),
        )
        .select(['lane.id', 'lane.name', sql<number>`count(lane_entry.run_id)`.as('queued')])
        .groupBy(['lane.id', 'lane.name'])
        .orderBy('lane.name')
        .limit(listedMax)
        .execute(),
    /** Queued runs by lane, of workflows none of whose endpoints has a status query. */
    countUnaskable: async () => {
      const rows = await db
        .selectFrom('lane_entry')
        .innerJoin('run', 'run.id', 'lane_entry.run_id')
        .select(['lane_entry.lane_id', sql<number>`count(*)`.as('runs')])
        .where('lane_entry.state', '=', 'queued')
        .where((where) =>
          where.not(
            where.exists((each) =>
              each
                .selectFrom('workflow_endpoint')
                .innerJoin('endpoint', 'endpoint.id', 'workflow_endpoint.endpoint_id')
                .select('endpoint.id')
                .whereRef('workflow_endpoint.workflow_id', '=', 'run.workflow_id')
                .where('endpoint.run_settings', 'like', '%"status_query":{%'),
            ),
          ),
        )
        .groupBy('lane_entry.lane_id')
        .execute()
      return new Map(rows.map(({ lane_id, runs }) => [lane_id, runs]))
    },
    listSchedules: () =>
      db
        .selectFrom('schedule')
        .select(['id', 'name', 'next_run_at'])
        .where('is_active', '=', 1)
        .orderBy('name')
        .limit(listedMax)
        .execute(),
    countFound: () =>
      db
        .selectFrom('run')
        .select([
          sql<number>`count(*)`.as('total'),
          sql<number>`coalesce(sum(case when state = 'unknown' then 1 else 0 end), 0)`.as(
            'unknown',
          ),
        ])
        .where('found_in', 'is not', null)
        .executeTakeFirstOrThrow(),
  }
}
