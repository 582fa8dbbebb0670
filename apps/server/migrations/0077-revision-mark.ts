import type { Kysely } from 'kysely'

/** A number can come twice: after a failover, or once an older copy of the database was restored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('config_revision')
    .addColumn('mark', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
}
