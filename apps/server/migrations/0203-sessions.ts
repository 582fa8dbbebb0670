import type { Kysely } from 'kysely'
import {
  byDefault,
  createIndexes,
  idColumn,
  key,
  ownedBy,
  required,
  unique,
} from '../src/db/columns.ts'

/** Sessions, and failed sign-ins by account and address, counted over all servers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('session')
    .addColumn('id', ...idColumn(db))
    .addColumn('user_id', 'integer', ownedBy('user.id'))
    .addColumn('token_hash', 'text', unique)
    .addColumn('download_hash', 'text')
    .addColumn('address', 'text', required)
    .addColumn('user_agent', 'text', byDefault(''))
    .addColumn('created_at', 'text', required)
    .addColumn('last_used_at', 'text', required)
    .addColumn('ended_at', 'text')
    .execute()
  await createIndexes(db, 'session', {
    session_user: ['user_id', 'address'],
    session_download: { columns: ['download_hash'], isUnique: true },
  })
  await db.schema
    .createTable('login_failure')
    // A hash: what is typed into the field of the account may be a password.
    .addColumn('key_hash', 'text', key)
    .addColumn('failures', 'integer', required)
    .addColumn('first_at', 'text', required)
    .addColumn('last_at', 'text', required)
    .execute()
  await createIndexes(db, 'login_failure', {
    login_failure_last_at: ['last_at'],
  })
}
