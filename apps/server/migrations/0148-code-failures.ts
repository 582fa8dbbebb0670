import type { Kysely } from 'kysely'

/** Wrong codes in a row, of those who knew the password. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('code_failure')
    .addColumn('user_id', 'integer', (column) =>
      column.notNull().references('user.id').onDelete('cascade'),
    )
    // From where: SHA-256 of an address that the user signs in from, or of a session. Blank: from anywhere else.
    .addColumn('place_hash', 'text', (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('last_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('code_failure_key', ['user_id', 'place_hash'])
    .execute()
}
