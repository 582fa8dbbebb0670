import type { Kysely } from 'kysely'
import { byDefault, createIndexes, idColumn, naming, required, unique } from '../src/db/columns.ts'

/** Webhooks that start runs, and the messages that were taken. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('hook')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', unique)
    .addColumn('workflow_id', 'integer', naming('workflow.id'))
    .addColumn('preset', 'text', required)
    // JSON: how the sender signs.
    .addColumn('scheme', 'text', required)
    .addColumn('window_seconds', 'integer', required)
    // JSON: which messages start a run. Null: all.
    .addColumn('filter', 'text')
    .addColumn('is_paused', 'integer', byDefault(0))
    // Sealed: see secret-box.ts.
    .addColumn('secret', 'text', required)
    .addColumn('secret_set_at', 'text', required)
    .addColumn('old_secret', 'text')
    .addColumn('old_secret_until', 'text')
    .addColumn('user_id', 'integer', required)
    .addColumn('user_name', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('last_received_at', 'text')
    .addColumn('last_refused_at', 'text')
    .addColumn('last_refusal', 'text')
    .execute()
  await createIndexes(db, 'hook', {
    hook_by_workflow: ['workflow_id'],
  })
  await db.schema
    .createTable('hook_receipt')
    .addColumn('hook_id', 'integer', required)
    .addColumn('receipt_key', 'text', required)
    .addColumn('run_id', 'integer', required)
    .addColumn('remove_at', 'text', required)
    .addPrimaryKeyConstraint('hook_receipt_pk', ['hook_id', 'receipt_key'])
    .execute()
  await createIndexes(db, 'hook_receipt', {
    hook_receipt_by_end: ['remove_at'],
  })
}
