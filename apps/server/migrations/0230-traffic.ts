import type { Kysely } from 'kysely'
import { byDefault, createIndexes, required } from '../src/db/columns.ts'

/** Counts of a latency histogram: 30 buckets and one beyond. */
const buckets = Array.from({ length: 31 }, (_, bucket) => `b${String(bucket).padStart(2, '0')}`)
const counts = ['requests', 'refused', 'errors', 'bytes_in', 'bytes_out', ...buckets]

/** What the gateway's workers counted: by minute for two days, by hour for five weeks, and by day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const span of ['minute', 'hour', 'day']) {
    let table = db.schema
      .createTable(`traffic_${span}`)
      // Begin of the span, ISO 8601 in UTC.
      .addColumn('at', 'text', required)
      // No foreign key: what happened stays when its endpoint goes. 0: none was met; -1: all together.
      .addColumn('endpoint_id', 'integer', required)
    for (const count of counts) table = table.addColumn(count, 'bigint', byDefault(0))
    await table.addPrimaryKeyConstraint(`traffic_${span}_pk`, ['at', 'endpoint_id']).execute()
    await createIndexes(db, `traffic_${span}`, {
      [`traffic_${span}_of_endpoint`]: ['endpoint_id', 'at'],
    })
  }
}
