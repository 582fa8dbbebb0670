import type { Kysely } from 'kysely'

/** Failed sign-ins by account and address, counted over all servers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('login_failure')
    // A hash: what is typed into the field of the account may be a password.
    .addColumn('key_hash', 'text', (column) => column.primaryKey())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('first_at', 'text', (column) => column.notNull())
    .addColumn('last_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('login_failure_last_at')
    .on('login_failure')
    .column('last_at')
    .execute()
}
