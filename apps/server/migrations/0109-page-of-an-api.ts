import { sql, type Kysely } from 'kysely'
import { allowLongStatements, jsonText } from '../src/db/dialect.ts'

/** What the page of an API reads: the traffic of its endpoints, who holds them, and which were deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await allowLongStatements(db)
  for (const span of ['minute', 'hour'])
    await db.schema
      .createIndex(`traffic_${span}_of_endpoint`)
      .on(`traffic_${span}`)
      .columns(['endpoint_id', 'at'])
      .execute()
  await db.schema
    .createIndex('role_endpoint_of_endpoint')
    .on('role_endpoint')
    .columns(['endpoint_id', 'role_id'])
    .execute()
  await sql`create index audit_event_of_deleted on audit_event (${jsonText(db, 'before', 'api_id')})
    where action = 'endpoint.delete'`.execute(db)
}
