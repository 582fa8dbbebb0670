import { sql, type Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'

/** Workflows with their versions, the lanes that carry out their runs, and batches of inputs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createLanes(db)
  await createWorkflows(db)
  await createBatches(db)
  await extendRuns(db)
}

async function createLanes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('lane')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('concurrency', 'integer', (column) => column.notNull())
    .addColumn('per_second', 'integer')
    .addColumn('per_minute', 'integer')
    .addColumn('per_hour', 'integer')
    .addColumn('max_age_minutes', 'integer')
    .addColumn('is_strict_order', 'integer', (column) => column.notNull())
    .addColumn('is_paused', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('paused_at', 'text')
    // Null where the product paused the lane itself: a sign-in was refused.
    .addColumn('paused_by', 'text')
    .addColumn('pause_reason', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('is_draining', 'integer', (column) => column.notNull().defaultTo(0))
    // Tries in a row that did not reach the authority.
    .addColumn('failures', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('outage_since', 'text')
    .addColumn('next_try_at', 'text')
    .execute()
}

async function createWorkflows(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('workflow')
    .addColumn('id', ...idColumn(db))
    .addColumn('slug', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('lane_id', 'integer', (column) => column.notNull().references('lane.id'))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    // Its runs stay in the ledger. A deleted workflow gives its slug back.
    .addColumn('deleted_at', 'text')
    .execute()
  await db.schema.createIndex('workflow_lane').on('workflow').column('lane_id').execute()
  await db.schema
    .createTable('workflow_version')
    .addColumn('workflow_id', 'integer', (column) => column.notNull().references('workflow.id'))
    .addColumn('version', 'integer', (column) => column.notNull())
    // JSON: the whole definition.
    .addColumn('definition', 'text', (column) => column.notNull())
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('workflow_version_pk', ['workflow_id', 'version'])
    .execute()
  await db.schema
    .createTable('role_workflow')
    .addColumn('role_id', 'integer', (column) =>
      column.notNull().references('role.id').onDelete('cascade'),
    )
    .addColumn('workflow_id', 'integer', (column) =>
      column.notNull().references('workflow.id').onDelete('cascade'),
    )
    .addPrimaryKeyConstraint('role_workflow_pk', ['role_id', 'workflow_id'])
    .execute()
}

async function createBatches(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('batch')
    .addColumn('id', ...idColumn(db))
    .addColumn('workflow_id', 'integer', (column) => column.notNull().references('workflow.id'))
    .addColumn('workflow_version', 'integer', (column) => column.notNull())
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('file_name', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('total', 'integer', (column) => column.notNull())
    .addColumn('is_test', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('is_paused', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('cancelled_at', 'text')
    .addColumn('idempotency_key', 'text', (column) => column.unique())
    .addColumn('content_sha256', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
}

async function extendRuns(db: Kysely<unknown>): Promise<void> {
  for (const column of ['workflow_id', 'workflow_version', 'batch_id', 'batch_line'])
    await db.schema.alterTable('run').addColumn(column, 'integer').execute()
  for (const [name, columns] of [
    ['run_by_workflow', ['workflow_id', 'id']],
    ['run_by_batch', ['batch_id', 'batch_line']],
  ] as const)
    await db.schema
      .createIndex(name)
      .on('run')
      .columns([...columns])
      .where(sql.ref(columns[0]), 'is not', null)
      .execute()
  await db.schema
    .createTable('run_input')
    .addColumn('run_id', 'integer', (column) => column.primaryKey().references('run.id'))
    // The JSON as it was sent, byte for byte.
    .addColumn('body', 'text', (column) => column.notNull())
    .execute()
  // One row per run that is queued or under way in a lane: small, so that a claim stays fast.
  await db.schema
    .createTable('lane_entry')
    .addColumn('run_id', 'integer', (column) => column.primaryKey().references('run.id'))
    .addColumn('lane_id', 'integer', (column) => column.notNull().references('lane.id'))
    // 0: a caller waits; 1: a line of a batch.
    .addColumn('priority', 'integer', (column) => column.notNull())
    // queued or running.
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('order_key', 'text')
    // 1: no earlier run with the same order key is in the lane.
    .addColumn('is_first', 'integer', (column) => column.notNull())
    .addColumn('queued_at', 'text', (column) => column.notNull())
    .addColumn('next_try_at', 'text')
    .addColumn('deadline_at', 'text')
    .addColumn('tries', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('message', 'text')
    .execute()
  await db.schema
    .createIndex('lane_entry_next')
    .on('lane_entry')
    .columns(['lane_id', 'state', 'is_first', 'priority', 'run_id'])
    .execute()
  await db.schema
    .createIndex('lane_entry_order')
    .on('lane_entry')
    .columns(['lane_id', 'order_key', 'run_id'])
    .where(sql.ref('order_key'), 'is not', null)
    .execute()
  // What needs a person: not what waits in a lane or for an authority.
  await db.schema.dropIndex('run_by_open').execute()
  await db.schema
    .createIndex('run_by_open')
    .on('run')
    .columns(['created_at', 'id'])
    .where(
      sql<boolean>`state not in ('running', 'succeeded', 'queued', 'pending', 'cancelled') and overtaken_by is null and closed_at is null`,
    )
    .execute()
}
