import type { Kysely } from 'kysely'

/** How an endpoint lets WebSockets through, as JSON; null: it does not. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('endpoint').addColumn('web_socket', 'text').execute()
}
