import type { Kysely } from 'kysely'
import { byDefault, idColumn, oneFor, required, unique } from '../src/db/columns.ts'

/** Users. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('user')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', required)
    .addColumn('email', 'text', required)
    .addColumn('email_key', 'text', unique)
    .addColumn('username', 'text', required)
    .addColumn('username_key', 'text', unique)
    // Null: the account can't sign in.
    .addColumn('password_hash', 'text')
    .addColumn('version', 'integer', byDefault(1))
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .execute()
  await db.schema
    .createTable('user_language')
    .addColumn('user_id', 'integer', oneFor('user.id'))
    .addColumn('language', 'text', required)
    .execute()
}
