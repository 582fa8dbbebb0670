import type { Kysely } from 'kysely'

/** The servers that use this database, each with its last sign of life. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('node')
    // The `instance-id` of its data folder.
    .addColumn('instance_id', 'text', (column) => column.primaryKey())
    // Random, of each start.
    .addColumn('start_id', 'text', (column) => column.notNull())
    // Counts up with each sign of life, so that two servers with one identity notice each other.
    .addColumn('beat', 'integer', (column) => column.notNull())
    // The lock file of the data folder, on a machine that has booted once; blank where that is unknown.
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('started_at', 'text', (column) => column.notNull())
    .addColumn('seen_at', 'text', (column) => column.notNull())
    // Set by a stop; null after a crash.
    .addColumn('stopped_at', 'text')
    .addColumn('state', 'text')
    .execute()
}
