import type { Kysely } from 'kysely'

/** What a call of an endpoint may carry, as JSON; null: nothing is declared. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('endpoint').addColumn('parameters', 'text').execute()
}
