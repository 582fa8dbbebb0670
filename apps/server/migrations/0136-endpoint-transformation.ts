import type { Kysely } from 'kysely'

/** What an endpoint changes in requests and answers, as JSON; null: nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('endpoint').addColumn('transformation', 'text').execute()
}
