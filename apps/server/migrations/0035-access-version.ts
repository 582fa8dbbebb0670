import type { Kysely } from 'kysely'

/** Counts the changes of a role's access apart from those of its name and permissions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('role')
    .addColumn('access_version', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
}
