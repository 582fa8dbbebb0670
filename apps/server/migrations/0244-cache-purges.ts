import type { Kysely } from 'kysely'

/** Kept answers of an API that workers have to drop. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // JSON, the last ones; null: none yet.
  await db.schema.alterTable('api').addColumn('cache_purges', 'text').execute()
}
