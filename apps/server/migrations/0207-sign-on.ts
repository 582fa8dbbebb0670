import type { Kysely } from 'kysely'
import { byDefault, createIndexes, idColumn, ownedBy, required } from '../src/db/columns.ts'

/** The provider that administrators sign in with, which values of its claim stand for which role, and by what it knows a user. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sign_on_provider')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', required)
    .addColumn('is_active', 'integer', required)
    .addColumn('issuer', 'text', required)
    .addColumn('client_id', 'text', required)
    // Null: there is none.
    .addColumn('client_secret_encrypted', 'text')
    .addColumn('scopes', 'text', required)
    .addColumn('role_claim', 'text', required)
    .addColumn('creates_users', 'integer', required)
    .addColumn('signs_out', 'integer', required)
    .addColumn('user_name', 'text', required)
    .addColumn('updated_at', 'text', required)
    .addColumn('version', 'integer', byDefault(1))
    .execute()
  await db.schema
    .createTable('sign_on_role')
    .addColumn('role_id', 'integer', ownedBy('role.id'))
    .addColumn('value', 'text', required)
    .addPrimaryKeyConstraint('sign_on_role_key', ['role_id', 'value'])
    .execute()
  await db.schema
    .createTable('user_identity')
    .addColumn('issuer', 'text', required)
    .addColumn('subject', 'text', required)
    .addColumn('user_id', 'integer', ownedBy('user.id'))
    // 1: the user was made at a sign-on, and has the roles that the provider says.
    .addColumn('is_managed', 'integer', required)
    .addColumn('created_at', 'text', required)
    .addPrimaryKeyConstraint('user_identity_key', ['issuer', 'subject'])
    .execute()
  await createIndexes(db, 'user_identity', {
    user_identity_by_user: ['user_id'],
  })
}
