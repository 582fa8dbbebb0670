import type { Kysely } from 'kysely'
import { byDefault } from '../src/db/columns.ts'

const counts = ['cache_hits', 'cache_misses', 'cache_saved_ms']

/** What the response cache answered, beside the other figures of the gateway. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const span of ['minute', 'hour', 'day'])
    for (const count of counts)
      await db.schema
        .alterTable(`traffic_${span}`)
        .addColumn(count, 'bigint', byDefault(0))
        .execute()
}
