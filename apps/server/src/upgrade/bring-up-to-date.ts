import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { StartError } from '../data-dir.ts'
import type { DatabaseSource, Db } from '../db/connect.ts'
import {
  listMigrations,
  migrate,
  migrationsOf,
  pendingMigrations,
  type MigrationWatch,
} from '../db/migrate.ts'
import type { MigrationReport, MigrationTask } from './migration-worker.ts'

export interface UpgradeWatch extends MigrationWatch {
  /** Before a copy of the database is made. */
  onBackup?: () => void
  /** With the file of the copy. */
  onBackedUp?: (file: string) => void
}

interface UpgradeOptions {
  source: DatabaseSource
  now: Date
  /** A SQLite file in use is copied before it is upgraded. */
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
  if (source.kind !== 'file' || pending.length === 0) return migrate(db, undefined, watch)
  const made = await migrationsOf(db)
  const [from, to] = [made.at(-1), (await listMigrations()).at(-1)]
  const copy = isBackedUp && from && to && (await isInUse(db)) ? { from, to, now } : undefined
  await inThread({ folder: source.folder, copy }, watch)
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
