import type { Kysely } from 'kysely'
import { createIndexes, idColumn, required } from '../src/db/columns.ts'

/** Records that were deleted within the last minute, so that a deletion can be undone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('deletion')
    .addColumn('id', ...idColumn(db))
    .addColumn('thing', 'text', required)
    .addColumn('thing_id', 'integer', required)
    .addColumn('name', 'text', required)
    // Who deleted it.
    .addColumn('user_id', 'integer', required)
    .addColumn('deleted_at', 'text', required)
    // JSON: what an event of the audit trail shows of it.
    .addColumn('shown', 'text', required)
    // JSON: its rows and those that went with it, secrets encrypted as they were.
    .addColumn('rows', 'text', required)
    .execute()
  await createIndexes(db, 'deletion', {
    deletion_thing: ['thing', 'thing_id'],
    deletion_deleted_at: ['deleted_at'],
  })
}
