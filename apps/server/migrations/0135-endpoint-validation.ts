import type { Kysely } from 'kysely'

/** What requests and answers of an endpoint have to fit, as JSON; null: nothing is checked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('endpoint').addColumn('validation', 'text').execute()
}
