import type { Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'

/** Webhooks that start runs, and the messages that were taken. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('hook')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('workflow_id', 'integer', (column) => column.notNull().references('workflow.id'))
    .addColumn('preset', 'text', (column) => column.notNull())
    // JSON: how the sender signs.
    .addColumn('scheme', 'text', (column) => column.notNull())
    .addColumn('window_seconds', 'integer', (column) => column.notNull())
    // JSON: which messages start a run. Null: all.
    .addColumn('filter', 'text')
    .addColumn('is_paused', 'integer', (column) => column.notNull().defaultTo(0))
    // Sealed: see secret-box.ts.
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('secret_set_at', 'text', (column) => column.notNull())
    .addColumn('old_secret', 'text')
    .addColumn('old_secret_until', 'text')
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('last_received_at', 'text')
    .addColumn('last_refused_at', 'text')
    .addColumn('last_refusal', 'text')
    .execute()
  await db.schema.createIndex('hook_by_workflow').on('hook').column('workflow_id').execute()
  await db.schema
    .createTable('hook_receipt')
    .addColumn('hook_id', 'integer', (column) => column.notNull())
    .addColumn('receipt_key', 'text', (column) => column.notNull())
    .addColumn('run_id', 'integer', (column) => column.notNull())
    .addColumn('remove_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('hook_receipt_pk', ['hook_id', 'receipt_key'])
    .execute()
  await db.schema
    .createIndex('hook_receipt_by_end')
    .on('hook_receipt')
    .column('remove_at')
    .execute()
}
