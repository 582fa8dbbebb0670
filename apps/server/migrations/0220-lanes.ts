import type { Kysely } from 'kysely'
import {
  byDefault,
  createIndexes,
  idColumn,
  naming,
  oneFor,
  required,
  unique,
} from '../src/db/columns.ts'

/** The lanes that carry out the runs of workflows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createLane(db)
  await createLaneRate(db)
  await createLaneEntry(db)
}

async function createLane(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('lane')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', unique)
    .addColumn('concurrency', 'integer', required)
    .addColumn('per_second', 'integer')
    .addColumn('per_minute', 'integer')
    .addColumn('per_hour', 'integer')
    .addColumn('max_age_minutes', 'integer')
    .addColumn('is_strict_order', 'integer', required)
    .addColumn('is_paused', 'integer', byDefault(0))
    .addColumn('paused_at', 'text')
    // Null where the product paused the lane itself: a sign-in was refused.
    .addColumn('paused_by', 'text')
    .addColumn('pause_reason', 'text', byDefault(''))
    .addColumn('is_draining', 'integer', byDefault(0))
    // Tries in a row that did not reach the authority.
    .addColumn('failures', 'integer', byDefault(0))
    .addColumn('outage_since', 'text')
    .addColumn('next_try_at', 'text')
    .execute()
}

async function createLaneRate(db: Kysely<unknown>): Promise<void> {
  // Apart from the lane, so that counting calls does not wait for a claim of runs.
  await db.schema
    .createTable('lane_rate')
    .addColumn('lane_id', 'integer', oneFor('lane.id'))
    // JSON: the calls under way by server, and those that ended, in buckets.
    .addColumn('state', 'text', required)
    .execute()
}

async function createLaneEntry(db: Kysely<unknown>): Promise<void> {
  // One row per run that is queued or under way in a lane: small, so that a claim stays fast.
  await db.schema
    .createTable('lane_entry')
    .addColumn('run_id', 'integer', (column) => column.primaryKey().references('run.id'))
    .addColumn('lane_id', 'integer', naming('lane.id'))
    // 0: a caller waits; 1: a line of a batch.
    .addColumn('priority', 'integer', required)
    // queued or running.
    .addColumn('state', 'text', required)
    .addColumn('order_key', 'text')
    // 1: no earlier run with the same order key is in the lane.
    .addColumn('is_first', 'integer', required)
    .addColumn('queued_at', 'text', required)
    .addColumn('next_try_at', 'text')
    .addColumn('deadline_at', 'text')
    .addColumn('tries', 'integer', byDefault(0))
    .addColumn('message', 'text')
    .addColumn('refusals', 'integer', byDefault(0))
    .execute()
  await createIndexes(db, 'lane_entry', {
    lane_entry_next: ['lane_id', 'state', 'is_first', 'priority', 'run_id'],
    lane_entry_order: {
      columns: ['lane_id', 'order_key', 'run_id'],
      where: 'order_key is not null',
    },
    lane_entry_deadline_at: { columns: ['state', 'deadline_at'], where: 'deadline_at is not null' },
    lane_entry_next_try_at: { columns: ['state', 'next_try_at'], where: 'next_try_at is not null' },
    lane_entry_by_deadline: {
      columns: ['lane_id', 'deadline_at'],
      where: 'deadline_at is not null',
    },
  })
}
