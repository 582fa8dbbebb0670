import type { Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'

/** Tokens with which programs call the admin API. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('admin_token')
    .addColumn('id', ...idColumn(db))
    .addColumn('user_id', 'integer', (column) =>
      column.notNull().references('user.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    // SHA-256 of the token, in hex: the token itself is stored nowhere.
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('ending', 'text', (column) => column.notNull())
    // Names with spaces between. A name that a later release does not know opens nothing.
    .addColumn('permissions', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('last_used_at', 'text')
    .addColumn('revoked_at', 'text')
    .execute()
  await db.schema
    .createIndex('admin_token_user')
    .on('admin_token')
    .columns(['user_id', 'revoked_at'])
    .execute()
}
