import type { Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'
import { makeAppendOnly } from '../src/db/dialect.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_event')
    .addColumn('id', ...idColumn(db))
    .addColumn('at', 'text', (column) => column.notNull())
    // No foreign keys: the trail outlives the people and things it speaks of.
    .addColumn('actor_id', 'integer')
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('thing', 'text', (column) => column.notNull())
    .addColumn('thing_id', 'integer')
    .addColumn('thing_name', 'text', (column) => column.notNull())
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .execute()
  await db.schema
    .createIndex('audit_event_thing')
    .on('audit_event')
    .columns(['thing', 'thing_id'])
    .execute()
  await db.schema.createIndex('audit_event_actor').on('audit_event').column('actor').execute()
  await makeAppendOnly(db, 'audit_event')
}
