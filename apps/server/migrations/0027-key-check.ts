import type { Kysely } from 'kysely'

/** One row: a value that only the key of this database produces, and from which the key can't be derived. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('key_check')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('check_value', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
}
