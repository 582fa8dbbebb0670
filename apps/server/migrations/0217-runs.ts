import type { Kysely } from 'kysely'
import { byDefault, createIndexes, idColumn, naming, required, unique } from '../src/db/columns.ts'
import { createTextSearch } from '../src/db/text-search.ts'

/** The ledger: run, step and append-only attempt (spec: runs). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createRun(db)
  await createRunInput(db)
  await createRunStep(db)
  await createRunAttempt(db)
  await createTextSearch(db, 'run', ['search_text'])
}

// The history is listed by time. Each of these holds all that filters ask for, so that rows, which are
// far wider, are read for the page alone.
const facets = ['kind', 'state', 'is_test', 'user_id', 'user_name', 'reference']
const beside = (first: string) => facets.filter((name) => name !== first)

/** Runs that need a person: not what waits in a lane or for an authority. */
const isOpen =
  "state not in ('running', 'succeeded', 'queued', 'pending', 'cancelled') and overtaken_by is null and closed_at is null"

async function createRun(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('run')
    .addColumn('id', ...idColumn(db))
    .addColumn('kind', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('is_test', 'integer', required)
    .addColumn('idempotency_key', 'text', (column) => column.unique())
    .addColumn('content_sha256', 'text')
    .addColumn('reference', 'text')
    .addColumn('retry_of', 'integer', (column) => column.references('run.id'))
    // Kept without a foreign key: the ledger outlives the people and endpoints it speaks of.
    .addColumn('user_id', 'integer', required)
    .addColumn('user_name', 'text', required)
    .addColumn('request_id', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('finished_at', 'text')
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'text')
    // Counted up whenever the run changes hands: who comes with an older one is refused.
    .addColumn('epoch', 'integer', byDefault(0))
    .addColumn('client_key', 'text')
    .addColumn('unknown_since', 'text')
    .addColumn('original_run_id', 'integer')
    .addColumn('is_dry_run', 'integer', byDefault(0))
    .addColumn('overtaken_by', 'integer')
    .addColumn('closed_at', 'text')
    .addColumn('closed_by_id', 'integer')
    .addColumn('closed_by_name', 'text')
    .addColumn('closed_reason', 'text')
    // What the history is searched by, in small letters.
    .addColumn('search_text', 'text', byDefault(''))
    .addColumn('workflow_id', 'integer')
    .addColumn('workflow_version', 'integer')
    .addColumn('batch_id', 'integer')
    .addColumn('batch_line', 'integer')
    // The trace that it belongs to (W3C Trace Context); all null where spans of runs are off.
    .addColumn('trace_id', 'text')
    .addColumn('trace_parent_id', 'text')
    .addColumn('is_trace_sampled', 'integer', byDefault(0))
    .addColumn('taken_at', 'text')
    .execute()
  await createIndexes(db, 'run', {
    run_by_time: ['created_at', 'id', ...facets],
    run_by_kind: ['kind', 'created_at', 'id', ...beside('kind')],
    run_by_state: ['state', 'created_at', 'id', ...beside('state')],
    run_by_test: ['is_test', 'created_at', 'id', ...beside('is_test')],
    run_by_user: ['user_id', 'created_at', 'id'],
    run_by_user_name: ['user_name', 'created_at', 'id'],
    run_by_reference: ['reference', 'created_at', 'id'],
    run_by_end: ['finished_at', 'id'],
    run_by_content: ['content_sha256'],
    run_by_client_key: ['client_key'],
    run_by_original: ['original_run_id'],
    // A run has at most one successor: of two who correct it at once, one is refused.
    run_one_retry: { columns: ['retry_of'], isUnique: true },
    run_by_closed: { columns: ['created_at', 'id'], where: 'closed_at is not null' },
    run_by_overtaken: { columns: ['created_at', 'id'], where: 'overtaken_by is not null' },
    run_by_batch: { columns: ['batch_id', 'batch_line'], where: 'batch_id is not null' },
    run_by_open: { columns: ['created_at', 'id'], where: isOpen },
    run_by_batch_state: {
      columns: ['batch_id', 'overtaken_by', 'state'],
      where: 'batch_id is not null',
    },
    run_by_batch_end: { columns: ['batch_id', 'finished_at'], where: 'batch_id is not null' },
    run_by_workflow: {
      columns: ['workflow_id', 'created_at', 'id'],
      where: 'workflow_id is not null',
    },
    run_by_workflow_and_state: {
      columns: ['workflow_id', 'state', 'created_at', 'id'],
      where: 'workflow_id is not null',
    },
    run_unknown: { columns: ['unknown_since', 'id'], where: "state = 'unknown'" },
    run_refused: {
      columns: ['finished_at', 'id'],
      where: "state in ('rejected', 'partial') and overtaken_by is null and closed_at is null",
    },
    run_open_by_state: { columns: ['state', 'created_at', 'id'], where: isOpen },
  })
}

async function createRunInput(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('run_input')
    .addColumn('run_id', 'integer', (column) => column.primaryKey().references('run.id'))
    // The JSON as it was sent, byte for byte.
    .addColumn('body', 'text', required)
    .execute()
}

async function createRunStep(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('run_step')
    .addColumn('id', ...idColumn(db))
    .addColumn('run_id', 'integer', naming('run.id'))
    .addColumn('position', 'integer', required)
    .addColumn('endpoint_id', 'integer', required)
    .addColumn('endpoint_name', 'text', required)
    .addColumn('effect', 'text', required)
    .addColumn('state', 'text', required)
    // Frozen before the socket opens; every resend sends exactly this.
    .addColumn('uuid', 'text', unique)
    .addColumn('method', 'text', required)
    .addColumn('url', 'text', required)
    .addColumn('headers', 'text', required)
    .addColumn('body', 'text')
    .addColumn('source_body', 'text')
    .addColumn('dependency_field', 'text')
    .addColumn('message', 'text')
    .addColumn('not_before', 'text')
    .addColumn('frozen_at', 'text')
    .addColumn('reused_from', 'integer')
    .addColumn('is_dry', 'integer', byDefault(0))
    .addColumn('has_credential', 'integer', byDefault(0))
    // The run that holds the document which a step carries.
    .addColumn('blocked_by', 'integer')
    .addUniqueConstraint('run_step_position_key', ['run_id', 'position'])
    .execute()
  await createIndexes(db, 'run_step', {
    run_step_by_endpoint: ['endpoint_id', 'state', 'run_id'],
  })
}

async function createRunAttempt(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('run_attempt')
    .addColumn('id', ...idColumn(db))
    .addColumn('step_id', 'integer', naming('run_step.id'))
    .addColumn('number', 'integer', required)
    // The server process that sends: only its own open attempts are called crashed at its start.
    .addColumn('owner', 'text', required)
    .addColumn('started_at', 'text', required)
    .addColumn('finished_at', 'text')
    .addColumn('outcome', 'text')
    .addColumn('error_code', 'text')
    .addColumn('status', 'integer')
    .addColumn('answer_headers', 'text')
    .addColumn('answer_body', 'text')
    .addColumn('answer_bytes', 'integer')
    .addColumn('duration_ms', 'integer')
    .addColumn('kind', 'text', byDefault('send'))
    .addColumn('user_id', 'integer')
    .addColumn('user_name', 'text')
    .addColumn('note', 'text')
    .addColumn('reference', 'text')
    .addColumn('detail', 'text')
    .addColumn('url', 'text')
    .addColumn('verdict', 'text')
    .addColumn('has_settled', 'integer', byDefault(0))
    .addUniqueConstraint('run_attempt_number_key', ['step_id', 'number'])
    .execute()
  await createIndexes(db, 'run_attempt', {
    run_attempt_open: ['owner', 'finished_at'],
  })
}
