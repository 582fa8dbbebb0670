import type { Kysely } from 'kysely'
import { allowLongStatements } from '../src/db/dialect.ts'

/** The newest documents of an API, however few or many it has. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await allowLongStatements(db)
  await db.schema.createIndex('document_of_api').on('document').columns(['api_id', 'id']).execute()
}
