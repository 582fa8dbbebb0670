import type { Kysely } from 'kysely'
import { oneFor, required } from '../src/db/columns.ts'

/** Stored procedures: what their callers were promised (the contract lock). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('procedure_contract')
    .addColumn('api_id', 'integer', oneFor('api.id'))
    .addColumn('method', 'text', required)
    // JSON. Signature and shapes as locked; shapes are null until a call has shown them.
    .addColumn('signature', 'text')
    .addColumn('shapes', 'text')
    .addColumn('locked_at', 'text')
    // What was found instead, JSON, and whether callers may notice.
    .addColumn('drift', 'text')
    .addColumn('drift_kind', 'text')
    .addColumn('drift_seen_at', 'text')
    .addColumn('checked_at', 'text')
    .addColumn('check_failure', 'text')
    .execute()
}
