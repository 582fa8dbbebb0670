import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** What the home screen says of authorities beside their documents. Reads only. */
export function homeStore(db: Db) {
  return {
    namesOfApis: (ids: readonly number[]) =>
      db
        .selectFrom('api')
        .select(['id', 'name', 'document_register'])
        .where('id', 'in', [...ids, 0])
        .execute(),
    /** The first deadline in the lanes of the workflows that call each API. */
    firstDeadlines: async () => {
      const { rows } = await sql<{ api_id: number; deadline_at: string }>`
        with waiting as (
          select * from (select lane.id, (select min(deadline_at) from lane_entry
            where lane_id = lane.id and deadline_at is not null) as deadline_at from lane) as each_lane
          where deadline_at is not null)
        select endpoint.api_id, min(waiting.deadline_at) as deadline_at from waiting
          join workflow on workflow.lane_id = waiting.id and workflow.deleted_at is null
          join workflow_endpoint on workflow_endpoint.workflow_id = workflow.id
          join endpoint on endpoint.id = workflow_endpoint.endpoint_id
          group by endpoint.api_id`.execute(db)
      return rows
    },
  }
}
