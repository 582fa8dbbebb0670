import type { Kysely } from 'kysely'
import { key, required } from '../src/db/columns.ts'

/** What servers note about themselves: rows of one, duties and nodes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createKeyCheck(db)
  await createDuty(db)
  await createNode(db)
  await createInstallationHold(db)
  await createSampleService(db)
}

async function createKeyCheck(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('key_check')
    .addColumn('id', 'integer', key)
    .addColumn('check_value', 'text', required)
    .addColumn('created_at', 'text', required)
    .execute()
}

async function createDuty(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('duty')
    .addColumn('name', 'text', key)
    .addColumn('lease_owner', 'text', required)
    .addColumn('lease_until', 'text', required)
    .addColumn('taken_at', 'text')
    // When a round last ended, on any server.
    .addColumn('round_at', 'text')
    .execute()
}

async function createNode(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('node')
    // The `instance-id` of its data folder.
    .addColumn('instance_id', 'text', key)
    // Random, of each start.
    .addColumn('start_id', 'text', required)
    // Counts up with each sign of life, so that two servers with one identity notice each other.
    .addColumn('beat', 'integer', required)
    // The lock file of the data folder, on a machine that has booted once; blank where that is unknown.
    .addColumn('place', 'text', required)
    .addColumn('name', 'text', required)
    .addColumn('version', 'text', required)
    .addColumn('role', 'text', required)
    .addColumn('started_at', 'text', required)
    .addColumn('seen_at', 'text', required)
    // Set by a stop; null after a crash.
    .addColumn('stopped_at', 'text')
    .addColumn('state', 'text')
    .execute()
}

async function createInstallationHold(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('installation_hold')
    .addColumn('id', 'integer', key)
    .addColumn('reason', 'text', required)
    .addColumn('backup_made_at', 'text', required)
    .addColumn('held_since', 'text', required)
    .addColumn('released_at', 'text')
    .execute()
}

async function createSampleService(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sample_service')
    .addColumn('id', 'integer', key)
    .addColumn('port', 'integer', required)
    .execute()
}
