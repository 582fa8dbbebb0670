import type { Kysely } from 'kysely'

/** The last starts of a server, as a JSON list: one that keeps dying is told by them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('node').addColumn('starts', 'text').execute()
}
