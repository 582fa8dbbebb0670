import type { Kysely } from 'kysely'

/** By what a provider knows a user: the subject of its tokens, which no other person gets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('user_identity')
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('user_id', 'integer', (column) =>
      column.notNull().references('user.id').onDelete('cascade'),
    )
    // 1: the user was made at a sign-on, and has the roles that the provider says.
    .addColumn('is_managed', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('user_identity_key', ['issuer', 'subject'])
    .execute()
  await db.schema
    .createIndex('user_identity_by_user')
    .on('user_identity')
    .column('user_id')
    .execute()
}
