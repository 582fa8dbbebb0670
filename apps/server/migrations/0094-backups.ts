import type { Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'

/** The backups that `npm run admin -- backup` has made of this database. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('backup')
    .addColumn('id', ...idColumn(db))
    .addColumn('made_at', 'text', (column) => column.notNull())
    .addColumn('file', 'text', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .execute()
}
