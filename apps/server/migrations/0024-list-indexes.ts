import type { Kysely } from 'kysely'
import { allowLongStatements } from '../src/db/dialect.ts'

/** Lists are counted and paged by indexes alone; rows are read for the page that is shown. */
const indexes: Record<string, [table: string, columns: string[]]> = {
  document_by_state: ['document', ['state', 'id', 'kind', 'is_test']],
  document_by_update: ['document', ['updated_at', 'id', 'state', 'kind', 'is_test']],
  document_by_reference: ['document', ['reference', 'id', 'state', 'kind', 'is_test']],
  document_by_id: ['document', ['id', 'state', 'kind', 'is_test']],
  audit_event_by_time: ['audit_event', ['at', 'id']],
  audit_event_by_actor: ['audit_event', ['actor', 'id']],
  audit_event_by_action: ['audit_event', ['action', 'id']],
  audit_event_by_outcome: ['audit_event', ['outcome', 'id']],
}

export async function up(db: Kysely<unknown>): Promise<void> {
  await allowLongStatements(db)
  // Those below begin as they do.
  for (const name of ['document_state', 'audit_event_actor'])
    await db.schema.dropIndex(name).execute()
  for (const [name, [table, columns]] of Object.entries(indexes))
    await db.schema.createIndex(name).on(table).columns(columns).execute()
}
