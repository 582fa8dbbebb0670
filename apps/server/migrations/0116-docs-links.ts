import type { Kysely } from 'kysely'

/** The link that shows the docs of a role to people without an account; at most one for each role. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('docs_link')
    .addColumn('role_id', 'integer', (column) =>
      column.primaryKey().references('role.id').onDelete('cascade'),
    )
    // SHA-256 of the link, in hex: the link itself is stored nowhere.
    .addColumn('digest', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .execute()
}
