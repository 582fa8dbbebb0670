import type { Kysely } from 'kysely'
import { idColumn, required } from '../src/db/columns.ts'

/** The backups that `npm run admin -- backup` has made of this database. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('backup')
    .addColumn('id', ...idColumn(db))
    .addColumn('made_at', 'text', required)
    .addColumn('file', 'text', required)
    .addColumn('bytes', 'bigint', required)
    .execute()
}
