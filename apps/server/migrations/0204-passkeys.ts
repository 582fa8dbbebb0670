import type { Kysely } from 'kysely'
import { createIndexes, idColumn, key, ownedBy, required, unique } from '../src/db/columns.ts'

/** Passkeys of users: public keys of devices with which they sign in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('passkey')
    .addColumn('id', ...idColumn(db))
    .addColumn('user_id', 'integer', ownedBy('user.id'))
    .addColumn('name', 'text', required)
    // The device chooses it.
    .addColumn('credential_id', 'text', unique)
    .addColumn('public_key', 'text', required)
    // How often the device has signed; 0 where it does not count.
    .addColumn('counter', 'bigint', required)
    // With spaces between.
    .addColumn('transports', 'text', required)
    .addColumn('host', 'text', required)
    // Random; the same for all passkeys of a user.
    .addColumn('user_handle', 'text', required)
    .addColumn('is_synced', 'integer', required)
    .addColumn('created_at', 'text', required)
    .addColumn('last_used_at', 'text')
    .execute()
  await createIndexes(db, 'passkey', {
    passkey_user: ['user_id'],
  })
  // Challenges that were answered, until they end: none is taken twice.
  await db.schema
    .createTable('passkey_challenge')
    .addColumn('challenge_hash', 'text', key)
    .addColumn('expires_at', 'text', required)
    .execute()
}
