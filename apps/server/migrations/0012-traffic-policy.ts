import type { Kysely } from 'kysely'

/** What the gateway does to the traffic of an API beyond forwarding it: JSON, null while all is off. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api').addColumn('traffic_policy', 'text').execute()
}
