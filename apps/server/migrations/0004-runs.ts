import type { Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'

/** The ledger: run, step and append-only attempt (spec: runs). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('run')
    .addColumn('id', ...idColumn(db))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('is_test', 'integer', (column) => column.notNull())
    .addColumn('idempotency_key', 'text', (column) => column.unique())
    .addColumn('content_sha256', 'text')
    .addColumn('reference', 'text')
    .addColumn('retry_of', 'integer', (column) => column.references('run.id'))
    // Kept without a foreign key: the ledger outlives the people and endpoints it speaks of.
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('finished_at', 'text')
    .execute()

  await db.schema
    .createTable('run_step')
    .addColumn('id', ...idColumn(db))
    .addColumn('run_id', 'integer', (column) => column.notNull().references('run.id'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('endpoint_id', 'integer', (column) => column.notNull())
    .addColumn('endpoint_name', 'text', (column) => column.notNull())
    .addColumn('effect', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    // Frozen before the socket opens; every resend sends exactly this.
    .addColumn('uuid', 'text', (column) => column.notNull().unique())
    .addColumn('method', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('headers', 'text', (column) => column.notNull())
    .addColumn('body', 'text')
    .addUniqueConstraint('run_step_position_key', ['run_id', 'position'])
    .execute()

  await db.schema
    .createTable('run_attempt')
    .addColumn('id', ...idColumn(db))
    .addColumn('step_id', 'integer', (column) => column.notNull().references('run_step.id'))
    .addColumn('number', 'integer', (column) => column.notNull())
    // The server process that sends: only its own open attempts are called crashed at its start.
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('started_at', 'text', (column) => column.notNull())
    .addColumn('finished_at', 'text')
    .addColumn('outcome', 'text')
    .addColumn('error_code', 'text')
    .addColumn('status', 'integer')
    .addColumn('answer_headers', 'text')
    .addColumn('answer_body', 'text')
    .addColumn('answer_bytes', 'integer')
    .addColumn('duration_ms', 'integer')
    .addUniqueConstraint('run_attempt_number_key', ['step_id', 'number'])
    .execute()
  await db.schema
    .createIndex('run_attempt_open')
    .on('run_attempt')
    .columns(['owner', 'finished_at'])
    .execute()
}
