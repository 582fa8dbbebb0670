import type { Kysely } from 'kysely'

/** How long an upstream may take at one endpoint. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Null: that of its API.
  await db.schema.alterTable('endpoint').addColumn('answer_timeout_ms', 'integer').execute()
}
