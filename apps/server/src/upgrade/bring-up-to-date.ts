import { once } from 'node:events'
import { statfsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { StartError } from '../settings/data-dir.ts'
import type { DatabaseSource, Db } from '../db/connect.ts'
import {
  listMigrations,
  migrate,
  migrationsOf,
  pendingMigrations,
  type MigrationWatch,
} from '../db/migrate.ts'
import type { MigrationReport, MigrationTask } from './migration-worker.ts'
import { dumpBeforeUpgrade, findPgDump, type Dump } from './postgres-dump.ts'

export interface UpgradeWatch extends MigrationWatch {
  /** Before a copy of the database is made. */
  onBackup?: () => void
  /** With the file of the copy. */
  onBackedUp?: (file: string) => void
  /** Without a copy the upgrade goes on, of PostgreSQL alone. */
  onNotBackedUp?: (reason: string) => void
}

interface UpgradeOptions {
  source: DatabaseSource
  now: Date
  /** The folder that a dump of PostgreSQL is put into. */
  folder: string
  /** A database in use is copied before it is upgraded. */
  isBackedUp: boolean
  watch: UpgradeWatch
}

/**
 * Makes the migrations that a database lacks. Those of a SQLite file are made in a thread: each statement holds its
 * thread up, for minutes where tables are large.
 */
export async function bringUpToDate(db: Db, options: UpgradeOptions): Promise<void> {
  const { source, now, isBackedUp, watch } = options
  const pending = await pendingMigrations(db)
  if (pending.length === 0) return migrate(db, undefined, watch)
  const made = await migrationsOf(db)
  const [from, to] = [made.at(-1), (await listMigrations()).at(-1)]
  const copy = isBackedUp && from && to && (await isInUse(db)) ? { from, to, now } : undefined
  if (source.kind === 'file') return inThread({ folder: source.folder, copy }, watch)
  if (source.kind === 'postgres' && copy)
    await dump(db, { databaseUrl: source.url, folder: options.folder, ...copy }, watch)
  await migrate(db, undefined, watch)
}

/** A dump that can't be made holds no upgrade up: most who run PostgreSQL have backups of their own. */
async function dump(db: Db, made: Dump, watch: UpgradeWatch): Promise<void> {
  const program = findPgDump()
  if (program === undefined) return watch.onNotBackedUp?.('pg_dump is not there')
  const { rows } = await sql<{
    bytes: number
  }>`select pg_database_size(current_database()) as bytes`.execute(db)
  const { bavail, bsize } = statfsSync(made.folder)
  if ((rows[0]?.bytes ?? 0) > bavail * bsize)
    return watch.onNotBackedUp?.(`${made.folder} has less room than the database takes`)
  watch.onBackup?.()
  try {
    const file = await dumpBeforeUpgrade(program, made)
    if (file !== undefined) watch.onBackedUp?.(file)
  } catch (error) {
    watch.onNotBackedUp?.((error as Error).message.replaceAll(/\s+/g, ' '))
  }
}

/** A first start that was broken off has stored nothing that a person would miss. */
async function isInUse(db: Db): Promise<boolean> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'user')) return false
  const { rows } = await sql`select id from "user" limit 1`.execute(db)
  return rows.length > 0
}

async function inThread(task: MigrationTask, watch: UpgradeWatch): Promise<void> {
  const worker = new Worker(new URL('migration-worker.ts', import.meta.url), {
    name: 'migration',
    workerData: task,
  })
  let end: Extract<MigrationReport, { is: 'done' | 'failed' }> | undefined
  worker.on('message', (report: MigrationReport) => {
    if (report.is === 'backup') watch.onBackup?.()
    else if (report.is === 'backed-up') watch.onBackedUp?.(report.file)
    else if (report.is === 'begun') watch.onBegin?.(report.step)
    else if (report.is === 'made') watch.onDone?.(report.step, report.durationMs)
    else end = report
  })
  await once(worker, 'exit')
  if (end?.is === 'done') return
  if (!end) throw new Error('The thread of the migrations has ended.')
  const { message, isRefusal, ...codes } = end
  throw isRefusal ? new StartError(message) : Object.assign(new Error(message), codes)
}
