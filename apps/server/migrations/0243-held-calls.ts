import type { Kysely } from 'kysely'

/** Calls of agents that a person has to release. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // For how many hours a call waits; null: none has to.
  await db.schema.alterTable('endpoint').addColumn('agent_release_hours', 'integer').execute()
}
