import type { Kysely } from 'kysely'

/** Work that one server does at a time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('duty')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('lease_owner', 'text', (column) => column.notNull())
    .addColumn('lease_until', 'text', (column) => column.notNull())
    // When a round last ended, on any server.
    .addColumn('round_at', 'text')
    .execute()
}
