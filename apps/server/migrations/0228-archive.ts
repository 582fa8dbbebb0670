import { sql, type Kysely } from 'kysely'
import { createIndexes, idColumn, key, required, unique } from '../src/db/columns.ts'

/** What is kept how long, the files of the archive, and which run is in which file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createArchiveSetting(db)
  await createArchiveRound(db)
  await createArchiveSize(db)
  await createArchiveFile(db)
  await createArchiveRun(db)
}

async function createArchiveSetting(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('archive_setting')
    .addColumn('id', 'integer', key)
    // Days that bodies and answers stay in the database, by class; null: they always stay.
    .addColumn('test_days', 'integer')
    .addColumn('read_days', 'integer')
    .addColumn('submit_days', 'integer')
    .addColumn('cron', 'text', required)
    .addColumn('time_zone', 'text', required)
    .execute()
  await sql`insert into archive_setting (id, test_days, read_days, submit_days, cron, time_zone)
    values (1, 30, 90, 3650, '0 2 * * *', 'UTC')`.execute(db)
}

async function createArchiveRound(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('archive_round')
    .addColumn('id', 'integer', key)
    .addColumn('phase', 'text', required)
    .addColumn('server', 'text')
    // A person has asked for a round that no server has begun yet.
    .addColumn('asked_at', 'text')
    .addColumn('started_at', 'text')
    .addColumn('ended_at', 'text')
    .addColumn('runs_due', 'integer', required)
    .addColumn('runs_written', 'integer', required)
    .addColumn('runs_removed', 'integer', required)
    // Why the last round stopped; null: it did not.
    .addColumn('problem', 'text')
    .addColumn('problem_text', 'text')
    .addColumn('problem_at', 'text')
    // Runs up to this id have a row in archive_run.
    .addColumn('sorted_to', 'integer', required)
    .execute()
  await sql`insert into archive_round (id, phase, runs_due, runs_written, runs_removed, sorted_to)
    values (1, 'idle', 0, 0, 0, 0)`.execute(db)
}

async function createArchiveSize(db: Kysely<unknown>): Promise<void> {
  // What the database and the archive hold, once a day: the pace at which they grow.
  await db.schema
    .createTable('archive_size')
    .addColumn('day', 'text', key)
    .addColumn('measured_at', 'text', required)
    .addColumn('database_bytes', 'bigint', required)
    .addColumn('archive_bytes', 'bigint', required)
    .execute()
}

async function createArchiveFile(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('archive_file')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', unique)
    // writing: not used yet. verified: runs may still have their bodies in the database. done: none has.
    .addColumn('state', 'text', required)
    .addColumn('server', 'text', required)
    .addColumn('started_at', 'text', required)
    .addColumn('written_at', 'text')
    .addColumn('bytes', 'bigint')
    .addColumn('content_bytes', 'bigint')
    .addColumn('sha256', 'text')
    .addColumn('content_sha256', 'text')
    .addColumn('manifest_sha256', 'text')
    .addColumn('previous_id', 'integer')
    .addColumn('lines', 'integer')
    .addColumn('first_run_id', 'integer')
    .addColumn('last_run_id', 'integer')
    .addColumn('first_at', 'text')
    .addColumn('last_at', 'text')
    .addColumn('checked_at', 'text')
    // What the last check found: intact, missing, changed, elsewhere.
    .addColumn('check_result', 'text')
    .execute()
}

async function createArchiveRun(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('archive_run')
    .addColumn('run_id', 'integer', key)
    // Null: not settled when it was last looked at.
    .addColumn('class', 'text')
    .addColumn('ended_at', 'text')
    // Null: bodies and answers are in the database.
    .addColumn('file_id', 'integer')
    .addColumn('line', 'integer')
    // The compressed block that holds the line: where it begins in the file, and its length.
    .addColumn('block_at', 'bigint')
    .addColumn('block_bytes', 'integer')
    .addColumn('sha256', 'text')
    // When its bodies were last brought back into the database.
    .addColumn('restored_at', 'text')
    .execute()
  await createIndexes(db, 'archive_run', {
    archive_run_here: { columns: ['class', 'ended_at', 'run_id'], where: 'file_id is null' },
    archive_run_of_file: { columns: ['file_id', 'run_id'], where: 'file_id is not null' },
  })
}
