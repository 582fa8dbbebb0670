import type { Kysely } from 'kysely'
import { byDefault, createIndexes, ownedBy, required } from '../src/db/columns.ts'

/** What personal tokens did with tools of agents, by day, with a histogram of how long the calls took. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('tool_usage')
    .addColumn('token_id', 'integer', ownedBy('personal_token.id'))
    // Like 2026-11-27.
    .addColumn('day', 'text', required)
    .addColumn('tool', 'text', required)
    .$call((table) =>
      counts.reduce((each, name) => each.addColumn(name, 'bigint', byDefault(0)), table),
    )
    .addPrimaryKeyConstraint('tool_usage_key', ['token_id', 'day', 'tool'])
    .execute()
  await createIndexes(db, 'tool_usage', {
    tool_usage_day: ['day'],
    tool_usage_tool: ['tool', 'day'],
  })
}

const buckets = Array.from({ length: 31 }, (_, at) => `b${String(at).padStart(2, '0')}`)
const counts = ['calls', 'refused', 'failed', 'waiting', ...buckets]
