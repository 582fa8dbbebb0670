import type { Kysely } from 'kysely'
import { byDefault, createIndexes } from '../src/db/columns.ts'

/** APIs that are offered to agents, and endpoints as their tools. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api').addColumn('offer_to_agents', 'integer', byDefault(0)).execute()
  // Null: as the API is.
  await db.schema.alterTable('endpoint').addColumn('agent_offer', 'text').execute()
  // Null until it becomes a tool.
  await db.schema.alterTable('endpoint').addColumn('tool_name', 'text').execute()
  await db.schema.alterTable('endpoint').addColumn('tool_description', 'text').execute()
  await createIndexes(db, 'endpoint', {
    endpoint_tool_name: { columns: ['tool_name'], isUnique: true },
  })
}
