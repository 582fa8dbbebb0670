import type { Kysely } from 'kysely'

/** Counts of a latency histogram: 30 buckets and one beyond. */
const buckets = Array.from({ length: 31 }, (_, bucket) => `b${String(bucket).padStart(2, '0')}`)

/** What the gateway's workers counted, by minute for two days and by hour for five weeks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const span of ['minute', 'hour']) {
    let table = db.schema
      .createTable(`traffic_${span}`)
      // Begin of the span, ISO 8601 in UTC.
      .addColumn('at', 'text', (column) => column.notNull())
      // No foreign key: what happened stays when its endpoint goes. 0: none was met; -1: all together.
      .addColumn('endpoint_id', 'integer', (column) => column.notNull())
    const counts = ['requests', 'refused', 'errors', 'bytes_in', 'bytes_out', ...buckets]
    for (const count of counts)
      table = table.addColumn(count, 'bigint', (column) => column.notNull().defaultTo(0))
    await table.addPrimaryKeyConstraint(`traffic_${span}_pk`, ['at', 'endpoint_id']).execute()
  }
}
