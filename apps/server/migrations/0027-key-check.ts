import type { Kysely } from 'kysely'

/** One row: what tells the key that this database was used with from any other, without telling the key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('key_check')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('check_value', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
}
