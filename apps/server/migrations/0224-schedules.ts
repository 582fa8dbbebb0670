import type { Kysely } from 'kysely'
import { byDefault, createIndexes, idColumn, naming, ownedBy, required } from '../src/db/columns.ts'

/** Schedules of workflows, each moment at which one fired, and what it has taken of a list. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSchedule(db)
  await createScheduleFiring(db)
  await createScheduleItem(db)
}

async function createSchedule(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('schedule')
    .addColumn('id', ...idColumn(db))
    .addColumn('workflow_id', 'integer', naming('workflow.id'))
    .addColumn('name', 'text', required)
    .addColumn('cron', 'text', required)
    .addColumn('time_zone', 'text', required)
    .addColumn('is_active', 'integer', required)
    .addColumn('catches_up', 'integer', required)
    .addColumn('start', 'text', required)
    // JSON: the input of each run. Null where a list is fetched.
    .addColumn('input', 'text')
    // JSON: where the list is fetched. Null where the input is fixed.
    .addColumn('list', 'text')
    .addColumn('watermark', 'text')
    // On whose behalf it runs: the user who saved it last.
    .addColumn('user_id', 'integer', required)
    .addColumn('user_name', 'text', required)
    // Null while it is paused, and where no moment is left.
    .addColumn('next_run_at', 'text')
    .addColumn('version', 'integer', byDefault(1))
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .execute()
  await createIndexes(db, 'schedule', {
    schedule_by_moment: ['next_run_at'],
    schedule_by_workflow: ['workflow_id'],
  })
}

async function createScheduleFiring(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('schedule_firing')
    .addColumn('id', ...idColumn(db))
    .addColumn('schedule_id', 'integer', ownedBy('schedule.id'))
    .addColumn('planned_for', 'text', required)
    .addColumn('started_at', 'text', required)
    .addColumn('ended_at', 'text')
    .addColumn('state', 'text', required)
    .addColumn('is_by_hand', 'integer', required)
    .addColumn('user_id', 'integer', required)
    .addColumn('message', 'text')
    // The server that carries it out. Past this moment another one continues it.
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'text')
    .addColumn('found', 'integer', byDefault(0))
    .addColumn('old', 'integer', byDefault(0))
    .addColumn('known', 'integer', byDefault(0))
    .addColumn('started', 'integer', byDefault(0))
    .addColumn('refused', 'integer', byDefault(0))
    .addUniqueConstraint('schedule_firing_moment', ['schedule_id', 'planned_for'])
    .execute()
  await createIndexes(db, 'schedule_firing', {
    schedule_firing_by_lease: { columns: ['lease_until'], where: "state = 'running'" },
    schedule_firing_by_schedule: ['schedule_id', 'id'],
  })
}

async function createScheduleItem(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('schedule_item')
    .addColumn('schedule_id', 'integer', ownedBy('schedule.id'))
    // A hash of the reference, the content or the moment.
    .addColumn('item_key', 'text', required)
    .addColumn('firing_id', 'integer', required)
    .addColumn('run_id', 'integer', required)
    .addPrimaryKeyConstraint('schedule_item_pk', ['schedule_id', 'item_key'])
    .execute()
  await createIndexes(db, 'schedule_item', {
    schedule_item_by_firing: ['firing_id', 'run_id'],
  })
}
