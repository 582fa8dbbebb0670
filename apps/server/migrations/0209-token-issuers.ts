import type { Kysely } from 'kysely'
import { byDefault, createIndexes, idColumn, ownedBy, required, unique } from '../src/db/columns.ts'

/** Who signs JWTs that callers of the gateway may show, and which of their claims stand for which role. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('token_issuer')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', unique)
    .addColumn('is_active', 'integer', required)
    .addColumn('issuer', 'text', unique)
    .addColumn('audience', 'text', required)
    // Blank: the keys were typed in.
    .addColumn('jwks_url', 'text', required)
    // As it was typed in; blank where there is an address.
    .addColumn('jwks', 'text', required)
    // JSON.
    .addColumn('algorithms', 'text', required)
    .addColumn('skew_seconds', 'integer', required)
    .addColumn('role_claim', 'text', required)
    // JSON: the public keys in force.
    .addColumn('keys', 'text', required)
    .addColumn('keys_read_at', 'text')
    .addColumn('keys_tried_at', 'text')
    // When they are fetched next; null: never.
    .addColumn('keys_due_at', 'text')
    .addColumn('keys_problem', 'text')
    .addColumn('user_name', 'text', required)
    .addColumn('updated_at', 'text', required)
    .addColumn('version', 'integer', byDefault(1))
    .execute()
  await db.schema
    .createTable('token_issuer_role')
    .addColumn('issuer_id', 'integer', ownedBy('token_issuer.id'))
    .addColumn('role_id', 'integer', ownedBy('role.id'))
    .addColumn('value', 'text', required)
    .addPrimaryKeyConstraint('token_issuer_role_key', ['issuer_id', 'role_id', 'value'])
    .execute()
  await createIndexes(db, 'token_issuer_role', {
    token_issuer_role_by_role: ['role_id'],
  })
}
