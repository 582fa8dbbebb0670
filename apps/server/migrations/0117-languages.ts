import type { Kysely } from 'kysely'

/** The language that a user has chosen for the dashboard; no row: the browser's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('user_language')
    .addColumn('user_id', 'integer', (column) =>
      column.primaryKey().references('user.id').onDelete('cascade'),
    )
    .addColumn('language', 'text', (column) => column.notNull())
    .execute()
}
