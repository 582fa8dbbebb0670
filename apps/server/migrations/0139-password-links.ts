import type { Kysely } from 'kysely'

/** Links by which users choose their password. A user has one at most: a newer one ends it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('password_link')
    .addColumn('user_id', 'integer', (column) =>
      column.primaryKey().references('user.id').onDelete('cascade'),
    )
    // `reset` or `invitation`.
    .addColumn('kind', 'text', (column) => column.notNull())
    // SHA-256 of the token, in hex. A link that was used is deleted.
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    // SHA-256 of the address and the stored password: once one of them changes, the link has ended.
    .addColumn('sign_in_hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute()
}
