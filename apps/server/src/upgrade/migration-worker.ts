import { parentPort, workerData } from 'node:worker_threads'
import { sql } from 'kysely'
import { StartError } from '../settings/data-dir.ts'
import { migrate, type MigrationStep } from '../db/migrate.ts'
import { connectToFile } from '../db/sqlite-file.ts'
import { backUpBeforeUpgrade } from './upgrade-backup.ts'

// The thread that makes the migrations of a SQLite file, and the copy before them.

export interface MigrationTask {
  folder: string
  /** Undefined: no copy is made. */
  copy: { from: string; to: string; now: Date } | undefined
}

interface Codes {
  errcode?: number | undefined
  code?: string | undefined
}

export type MigrationReport =
  | { is: 'backup' }
  | { is: 'backed-up'; file: string }
  | { is: 'begun'; step: MigrationStep }
  | { is: 'made'; step: MigrationStep; durationMs: number }
  | { is: 'done' }
  /** The codes are those of SQLite and of the system. */
  | ({ is: 'failed'; message: string; isRefusal: boolean } & Codes)

const report = (each: MigrationReport) => parentPort?.postMessage(each)

function failureOf(error: unknown): MigrationReport {
  let innermost = error as Error & Codes
  while (innermost.cause instanceof Error) innermost = innermost.cause
  const { message, errcode, code } = innermost
  if (error instanceof StartError) return { is: 'failed', message: error.message, isRefusal: true }
  const text = error === innermost ? message : `${(error as Error).message} ${message}`
  return { is: 'failed', message: text, isRefusal: false, errcode, code }
}

const { folder, copy } = workerData as MigrationTask
try {
  if (copy) {
    report({ is: 'backup' })
    const file = await backUpBeforeUpgrade({ folder, ...copy })
    if (file !== undefined) report({ is: 'backed-up', file })
  }
  const db = connectToFile(folder)
  try {
    // A command of the operator may write meanwhile.
    await sql`pragma busy_timeout = 60000`.execute(db)
    await migrate(db, undefined, {
      onBegin: (step) => report({ is: 'begun', step }),
      onDone: (step, durationMs) => report({ is: 'made', step, durationMs }),
    })
  } finally {
    await db.destroy()
  }
  report({ is: 'done' })
} catch (error) {
  report(failureOf(error))
}
