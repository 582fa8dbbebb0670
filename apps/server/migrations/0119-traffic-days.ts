import { sql, type Kysely } from 'kysely'
import { allowLongStatements } from '../src/db/dialect.ts'

const counted = ['requests', 'refused', 'errors', 'bytes_in', 'bytes_out']
const buckets = Array.from({ length: 31 }, (_, bucket) => `b${String(bucket).padStart(2, '0')}`)
const counts = [...counted, ...buckets]

/**
 * What each endpoint did on whole days, UTC: a week of many endpoints by the hour is too much to read. What a
 * server of the release before writes meanwhile is missing in them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await allowLongStatements(db)
  let table = db.schema
    .createTable('traffic_day')
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('endpoint_id', 'integer', (column) => column.notNull())
  for (const count of counts)
    table = table.addColumn(count, 'bigint', (column) => column.notNull().defaultTo(0))
  await table.addPrimaryKeyConstraint('traffic_day_pk', ['at', 'endpoint_id']).execute()
  await db.schema
    .createIndex('traffic_day_of_endpoint')
    .on('traffic_day')
    .columns(['endpoint_id', 'at'])
    .execute()
  const names = sql.join(counts.map((count) => sql.ref(count)))
  const sums = sql.join(counts.map((count) => sql`sum(${sql.ref(count)})`))
  await sql`insert into traffic_day (at, endpoint_id, ${names})
    select substr(at, 1, 10) || 'T00:00:00.000Z' as day, endpoint_id, ${sums}
    from traffic_hour where endpoint_id > 0 group by day, endpoint_id`.execute(db)
  // As role_endpoint_of_endpoint.
  await db.schema.dropIndex('role_endpoint_by_endpoint').ifExists().execute()
}
