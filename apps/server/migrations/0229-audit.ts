import { sql, type Kysely } from 'kysely'
import { byDefault, createIndexes, idColumn, required } from '../src/db/columns.ts'
import { jsonText, makeAppendOnly } from '../src/db/dialect.ts'
import { createTextSearch } from '../src/db/text-search.ts'

/** The audit trail. The database itself refuses changes. Repeats of a refusal share one row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_event')
    .addColumn('id', ...idColumn(db))
    .addColumn('at', 'text', required)
    // No foreign keys: the trail outlives the people and things it speaks of.
    .addColumn('actor_id', 'integer')
    .addColumn('actor', 'text', required)
    .addColumn('address', 'text', required)
    .addColumn('request_id', 'text', required)
    .addColumn('action', 'text', required)
    .addColumn('outcome', 'text', required)
    .addColumn('thing', 'text', required)
    .addColumn('thing_id', 'integer')
    .addColumn('thing_name', 'text', required)
    // How many refusals the row stands for.
    .addColumn('times', 'integer', byDefault(1))
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .execute()
  await createIndexes(db, 'audit_event', {
    audit_event_thing: ['thing', 'thing_id'],
    audit_event_by_time: ['at', 'id'],
    audit_event_by_actor: ['actor', 'at', 'id'],
    audit_event_by_action: ['action', 'at', 'id'],
    audit_event_by_actor_and_action: ['actor', 'action', 'at', 'id'],
    audit_event_by_thing: ['thing', 'at', 'id'],
    audit_event_by_outcome: ['outcome', 'at', 'id'],
  })
  await sql`create index audit_event_of_deleted on audit_event (${jsonText(db, 'before', 'api_id')})
    where action = 'endpoint.delete'`.execute(db)
  await makeAppendOnly(db, 'audit_event')
  await createTextSearch(db, 'audit_event', [
    'actor',
    'action',
    'thing_name',
    'request_id',
    'address',
  ])
}
