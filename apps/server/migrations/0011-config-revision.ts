import { sql, type Kysely } from 'kysely'

/** One row, which every change of what the gateway runs on counts up within its own transaction. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('config_revision')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .execute()
  await sql`insert into config_revision (id, revision) values (1, 1)`.execute(db)
}
