import type { Kysely } from 'kysely'

/** The sample service that an administrator chose, one row: it listens on this port after each start. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sample_service')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('port', 'integer', (column) => column.notNull())
    .execute()
}
