import type { Kysely } from 'kysely'
import { oneFor, required, unique } from '../src/db/columns.ts'

/** Links by which users choose their password. A user has one at most: a newer one ends it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('password_link')
    .addColumn('user_id', 'integer', oneFor('user.id'))
    // `reset` or `invitation`.
    .addColumn('kind', 'text', required)
    // SHA-256 of the token, in hex. A link that was used is deleted.
    .addColumn('token_hash', 'text', unique)
    // SHA-256 of the address and the stored password: once one of them changes, the link has ended.
    .addColumn('sign_in_hash', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('expires_at', 'text', required)
    .execute()
}
