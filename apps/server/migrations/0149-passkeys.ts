import type { Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'

/** Passkeys of users: public keys of devices with which they sign in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('passkey')
    .addColumn('id', ...idColumn(db))
    .addColumn('user_id', 'integer', (column) =>
      column.notNull().references('user.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    // The device chooses it.
    .addColumn('credential_id', 'text', (column) => column.notNull().unique())
    .addColumn('public_key', 'text', (column) => column.notNull())
    // How often the device has signed; 0 where it does not count.
    .addColumn('counter', 'bigint', (column) => column.notNull())
    // With spaces between.
    .addColumn('transports', 'text', (column) => column.notNull())
    .addColumn('host', 'text', (column) => column.notNull())
    // Random; the same for all passkeys of a user.
    .addColumn('user_handle', 'text', (column) => column.notNull())
    .addColumn('is_synced', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('last_used_at', 'text')
    .execute()
  await db.schema.createIndex('passkey_user').on('passkey').column('user_id').execute()
  // Challenges that were answered, until they end: none is taken twice.
  await db.schema
    .createTable('passkey_challenge')
    .addColumn('challenge_hash', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute()
}
