import type { Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'

/** Mapping rows under a name, to be loaded where rows are typed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('saved_mapping')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', (column) => column.notNull().unique())
    // JSON: the rows as they were typed.
    .addColumn('rows', 'text', (column) => column.notNull())
    .addColumn('rows_count', 'integer', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
}
