import type { Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'

/** The provider that administrators sign in with, and which values of its claim stand for which role. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sign_on_provider')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('is_active', 'integer', (column) => column.notNull())
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    // Null: there is none.
    .addColumn('client_secret_encrypted', 'text')
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('role_claim', 'text', (column) => column.notNull())
    .addColumn('creates_users', 'integer', (column) => column.notNull())
    .addColumn('signs_out', 'integer', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await db.schema
    .createTable('sign_on_role')
    .addColumn('role_id', 'integer', (column) =>
      column.notNull().references('role.id').onDelete('cascade'),
    )
    .addColumn('value', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('sign_on_role_key', ['role_id', 'value'])
    .execute()
}
