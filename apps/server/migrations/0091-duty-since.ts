import type { Kysely } from 'kysely'

/** Since when a server has held a duty. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('duty').addColumn('taken_at', 'text').execute()
}
