import { sql, type Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'

/** What is kept how long, the files of the archive, and which run is in which file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSetting(db)
  await createRound(db)
  await createFiles(db)
  await createRuns(db)
}

async function createSetting(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('archive_setting')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    // Days that bodies and answers stay in the database, by class; null: they always stay.
    .addColumn('test_days', 'integer')
    .addColumn('read_days', 'integer')
    .addColumn('submit_days', 'integer')
    .addColumn('cron', 'text', (column) => column.notNull())
    .addColumn('time_zone', 'text', (column) => column.notNull())
    .execute()
  await sql`insert into archive_setting (id, test_days, read_days, submit_days, cron, time_zone)
    values (1, 30, 90, 3650, '0 2 * * *', 'UTC')`.execute(db)
}

async function createRound(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('archive_round')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('phase', 'text', (column) => column.notNull())
    .addColumn('server', 'text')
    // A person has asked for a round that no server has begun yet.
    .addColumn('asked_at', 'text')
    .addColumn('started_at', 'text')
    .addColumn('ended_at', 'text')
    .addColumn('runs_due', 'integer', (column) => column.notNull())
    .addColumn('runs_written', 'integer', (column) => column.notNull())
    .addColumn('runs_removed', 'integer', (column) => column.notNull())
    // Why the last round stopped; null: it did not.
    .addColumn('problem', 'text')
    .addColumn('problem_text', 'text')
    .addColumn('problem_at', 'text')
    // Runs up to this id have a row in archive_run.
    .addColumn('sorted_to', 'integer', (column) => column.notNull())
    .execute()
  await sql`insert into archive_round (id, phase, runs_due, runs_written, runs_removed, sorted_to)
    values (1, 'idle', 0, 0, 0, 0)`.execute(db)
  // What the database and the archive hold, once a day: the pace at which they grow.
  await db.schema
    .createTable('archive_size')
    .addColumn('day', 'text', (column) => column.primaryKey())
    .addColumn('measured_at', 'text', (column) => column.notNull())
    .addColumn('database_bytes', 'bigint', (column) => column.notNull())
    .addColumn('archive_bytes', 'bigint', (column) => column.notNull())
    .execute()
}

async function createFiles(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('archive_file')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', (column) => column.notNull().unique())
    // writing: not used yet. verified: runs may still have their bodies in the database. done: none has.
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('server', 'text', (column) => column.notNull())
    .addColumn('started_at', 'text', (column) => column.notNull())
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

async function createRuns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('archive_run')
    .addColumn('run_id', 'integer', (column) => column.primaryKey())
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
  await db.schema
    .createIndex('archive_run_here')
    .on('archive_run')
    .columns(['class', 'ended_at', 'run_id'])
    .where(sql.ref('file_id'), 'is', null)
    .execute()
  await db.schema
    .createIndex('archive_run_of_file')
    .on('archive_run')
    .columns(['file_id', 'run_id'])
    .where(sql.ref('file_id'), 'is not', null)
    .execute()
}
