import type { Kysely } from 'kysely'

/** The second factor of users, and which roles ask for it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('second_factor')
    .addColumn('user_id', 'integer', (column) =>
      column.primaryKey().references('user.id').onDelete('cascade'),
    )
    .addColumn('secret_encrypted', 'text', (column) => column.notNull())
    // RFC 6238 §5.2: the time step of the last code that was taken; none before it is taken again.
    .addColumn('last_step', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'text', (column) => column.notNull())
    // Null: nothing asks for it yet.
    .addColumn('confirmed_at', 'text')
    .execute()
  await db.schema
    .createTable('recovery_code')
    .addColumn('user_id', 'integer', (column) =>
      column.notNull().references('user.id').onDelete('cascade'),
    )
    // SHA-256 of the code, in hex. A code that was used is deleted.
    .addColumn('code_hash', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('recovery_code_key', ['user_id', 'code_hash'])
    .execute()
  await db.schema
    .alterTable('role')
    .addColumn('needs_second_factor', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
