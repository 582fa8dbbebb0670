import { sql, type Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'

/** Schedules of workflows, each moment at which one fired, and what it has taken of a list. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSchedules(db)
  await createFirings(db)
}

async function createSchedules(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('schedule')
    .addColumn('id', ...idColumn(db))
    .addColumn('workflow_id', 'integer', (column) => column.notNull().references('workflow.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('cron', 'text', (column) => column.notNull())
    .addColumn('time_zone', 'text', (column) => column.notNull())
    .addColumn('is_active', 'integer', (column) => column.notNull())
    .addColumn('catches_up', 'integer', (column) => column.notNull())
    .addColumn('start', 'text', (column) => column.notNull())
    // JSON: the input of each run. Null where a list is fetched.
    .addColumn('input', 'text')
    // JSON: where the list is fetched. Null where the input is fixed.
    .addColumn('list', 'text')
    .addColumn('watermark', 'text')
    // On whose behalf it runs: the user who saved it last.
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    // Null while it is paused, and where no moment is left.
    .addColumn('next_run_at', 'text')
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('schedule_by_moment').on('schedule').column('next_run_at').execute()
  await db.schema.createIndex('schedule_by_workflow').on('schedule').column('workflow_id').execute()
}

async function createFirings(db: Kysely<unknown>): Promise<void> {
  const count = ['found', 'old', 'known', 'started', 'refused']
  let firing = db.schema
    .createTable('schedule_firing')
    .addColumn('id', ...idColumn(db))
    .addColumn('schedule_id', 'integer', (column) =>
      column.notNull().references('schedule.id').onDelete('cascade'),
    )
    .addColumn('planned_for', 'text', (column) => column.notNull())
    .addColumn('started_at', 'text', (column) => column.notNull())
    .addColumn('ended_at', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('is_by_hand', 'integer', (column) => column.notNull())
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('message', 'text')
    // The server that carries it out. Past this moment another one continues it.
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'text')
  for (const name of count)
    firing = firing.addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
  // A moment fires once, whatever clocks and servers do.
  await firing
    .addUniqueConstraint('schedule_firing_moment', ['schedule_id', 'planned_for'])
    .execute()
  await db.schema
    .createIndex('schedule_firing_by_lease')
    .on('schedule_firing')
    .column('lease_until')
    .where(sql.ref('state'), '=', 'running')
    .execute()
  await db.schema
    .createIndex('schedule_firing_by_schedule')
    .on('schedule_firing')
    .columns(['schedule_id', 'id'])
    .execute()
  await db.schema
    .createTable('schedule_item')
    .addColumn('schedule_id', 'integer', (column) =>
      column.notNull().references('schedule.id').onDelete('cascade'),
    )
    // A hash of the reference, the content or the moment.
    .addColumn('item_key', 'text', (column) => column.notNull())
    .addColumn('firing_id', 'integer', (column) => column.notNull())
    .addColumn('run_id', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('schedule_item_pk', ['schedule_id', 'item_key'])
    .execute()
  await db.schema
    .createIndex('schedule_item_by_firing')
    .on('schedule_item')
    .columns(['firing_id', 'run_id'])
    .execute()
}
