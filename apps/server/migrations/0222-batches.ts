import type { Kysely } from 'kysely'
import { byDefault, createIndexes, idColumn, naming, required } from '../src/db/columns.ts'

/** Batches of inputs (spec: batches). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('batch')
    .addColumn('id', ...idColumn(db))
    .addColumn('workflow_id', 'integer', naming('workflow.id'))
    .addColumn('workflow_version', 'integer', required)
    .addColumn('user_id', 'integer', required)
    .addColumn('user_name', 'text', required)
    .addColumn('file_name', 'text', byDefault(''))
    .addColumn('total', 'integer', required)
    .addColumn('is_test', 'integer', byDefault(0))
    .addColumn('is_paused', 'integer', byDefault(0))
    .addColumn('cancelled_at', 'text')
    .addColumn('idempotency_key', 'text', (column) => column.unique())
    .addColumn('content_sha256', 'text', required)
    .addColumn('created_at', 'text', required)
    // The server that stores it. Null once it is stored.
    .addColumn('stored_by', 'text')
    .addColumn('is_settled', 'integer', byDefault(0))
    .addColumn('inputs_per_run', 'integer', byDefault(1))
    .addColumn('reported_at', 'text')
    .execute()
  await createIndexes(db, 'batch', {
    batch_by_workflow: ['workflow_id', 'id'],
    batch_unreported: { columns: ['workflow_id', 'id'], where: 'reported_at is null' },
  })
  await db.schema
    .createTable('batch_input')
    .addColumn('batch_id', 'integer', naming('batch.id'))
    .addColumn('line', 'integer', required)
    // The latest run that takes it, and its place in the list that is the input of that run.
    .addColumn('run_id', 'integer', naming('run.id'))
    .addColumn('position', 'integer', required)
    .addColumn('reference', 'text')
    .addPrimaryKeyConstraint('batch_input_pk', ['batch_id', 'line'])
    .execute()
  await createIndexes(db, 'batch_input', {
    batch_input_by_run: ['run_id', 'position'],
  })
}
