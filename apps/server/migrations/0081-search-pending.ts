import { sql, type Kysely } from 'kysely'
import { isPostgres } from '../src/db/dialect.ts'

/**
 * PostgreSQL collects new words in a list, which each search reads from end to end, and which a write now and then
 * empties into the index. With 512 kB instead of 4 MB both take less time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db))
    await sql`alter index text_search_words set (gin_pending_list_limit = 512)`.execute(db)
}
