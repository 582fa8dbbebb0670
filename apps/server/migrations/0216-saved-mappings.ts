import type { Kysely } from 'kysely'
import { byDefault, idColumn, required, unique } from '../src/db/columns.ts'

/** Mapping rows under a name, to be loaded where rows are typed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('saved_mapping')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', unique)
    // JSON: the rows as they were typed.
    .addColumn('rows', 'text', required)
    .addColumn('rows_count', 'integer', required)
    .addColumn('user_name', 'text', required)
    .addColumn('updated_at', 'text', required)
    .addColumn('version', 'integer', byDefault(1))
    .execute()
}
