import type { Kysely } from 'kysely'
import { oneFor, required, unique } from '../src/db/columns.ts'

/** The link that shows the docs of a role to people without an account; at most one for each role. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('docs_link')
    .addColumn('role_id', 'integer', oneFor('role.id'))
    // SHA-256 of the link, in hex: the link itself is stored nowhere.
    .addColumn('digest', 'text', unique)
    .addColumn('created_at', 'text', required)
    .addColumn('user_name', 'text', required)
    .execute()
}
