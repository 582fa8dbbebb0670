import type { Kysely } from 'kysely'
import { byDefault, oneFor, ownedBy, required } from '../src/db/columns.ts'

/** The second factor of users. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('second_factor')
    .addColumn('user_id', 'integer', oneFor('user.id'))
    .addColumn('secret_encrypted', 'text', required)
    // RFC 6238 §5.2: the time step of the last code that was taken; none before it is taken again.
    .addColumn('last_step', 'integer', byDefault(0))
    .addColumn('created_at', 'text', required)
    // Null: nothing asks for it yet.
    .addColumn('confirmed_at', 'text')
    .execute()
  await db.schema
    .createTable('code_failure')
    .addColumn('user_id', 'integer', ownedBy('user.id'))
    // From where: SHA-256 of an address that the user signs in from, or of a session. Blank: from anywhere else.
    .addColumn('place_hash', 'text', required)
    .addColumn('failures', 'integer', required)
    .addColumn('last_at', 'text', required)
    .addColumn('refused_at', 'text')
    .addPrimaryKeyConstraint('code_failure_key', ['user_id', 'place_hash'])
    .execute()
  await db.schema
    .createTable('recovery_code')
    .addColumn('user_id', 'integer', ownedBy('user.id'))
    // SHA-256 of the code, in hex. A code that was used is deleted.
    .addColumn('code_hash', 'text', required)
    .addPrimaryKeyConstraint('recovery_code_key', ['user_id', 'code_hash'])
    .execute()
}
