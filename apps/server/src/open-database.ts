import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { DatabaseAwayError, keptSnapshotName, StartError } from './settings/data-dir.ts'
import { bringUpToDate, type UpgradeWatch } from './upgrade/bring-up-to-date.ts'
import { connect, databaseFile, sourceOf, type Db } from './db/connect.ts'
import { DatabaseReadOnly, isDatabaseAway, isUnreachable } from './db/outages/database-away.ts'
import { isPostgres } from './db/dialect.ts'
import { seed } from './db/seed.ts'
import { isStoreFull } from './db/outages/store-refusal.ts'

interface OpenOptions {
  connections?: number
  /** A database in use is copied before it is upgraded; true unless given. */
  isBackedUp?: boolean
  watch?: UpgradeWatch
}

/**
 * Connects to the database and brings it up to date. Throws a StartError, fit for the operator to read, where it
 * can't be used or is gone, a DatabaseAwayError where it may be there later; nothing stays open then.
 */
export async function openDatabase(
  databaseUrl: string | undefined,
  folder: string,
  now: Date,
  { connections, isBackedUp = true, watch = {} }: OpenOptions = {},
): Promise<Db> {
  let db: Db | undefined
  try {
    refuseMissingFile(databaseUrl, folder)
    const source = sourceOf(databaseUrl, folder, connections)
    db = connect(source)
    if (hasKeptSnapshot(folder) && (await isEmpty(db))) throw databaseGone(databaseUrl, folder)
    await refuseReadOnly(db)
    await bringUpToDate(db, { source, folder, now, isBackedUp, watch })
    await seed(db, now)
    return db
  } catch (error) {
    await db?.destroy()
    throw startRefusal(error, databaseUrl, folder)
  }
}

/** What the operator reads. A database that may be there later is a DatabaseAwayError. */
export function startRefusal(
  error: unknown,
  databaseUrl: string | undefined,
  folder: string,
): StartError {
  if (error instanceof StartError) return error
  const where = databaseUrl ? 'DATABASE_URL' : folder
  const reason = isStoreFull(error) ? 'its disk is full' : innermostMessage(error)
  const message = `The database (${where}) can't be used: ${reason}`
  return databaseUrl && isDatabaseAway(error)
    ? new DatabaseAwayError(message, { cause: error, isUnreachable: isUnreachable(error) })
    : new StartError(message, { cause: error })
}

/** The message of the database, in one line. */
function innermostMessage(error: unknown): string {
  let innermost = error
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause
  const message = innermost instanceof Error ? innermost.message : String(innermost)
  return message.replace(/\s+/g, ' ')
}

/** A standby, or a database that was made read only: nothing could be changed, and no run recorded. */
async function refuseReadOnly(db: Db): Promise<void> {
  if (!isPostgres(db)) return
  const { rows } = await sql<{ value: boolean }>`select pg_is_in_recovery()
    or current_setting('transaction_read_only') = 'on' as value`.execute(db)
  if (rows[0]?.value) throw new DatabaseReadOnly('it takes no writes')
}

const hasKeptSnapshot = (folder: string) => existsSync(join(folder, keptSnapshotName))

/** Checked before the file is opened, because opening creates it. */
function refuseMissingFile(databaseUrl: string | undefined, folder: string): void {
  if (databaseUrl === undefined && hasKeptSnapshot(folder) && !existsSync(databaseFile(folder)))
    throw databaseGone(databaseUrl, folder)
}

const isEmpty = async (db: Db) => (await db.introspection.getTables()).length === 0

/** A gateway that was in use belongs to a database that was in use: an empty one is a mistake or a loss. */
function databaseGone(databaseUrl: string | undefined, folder: string): StartError {
  const what = databaseUrl
    ? 'The database (DATABASE_URL) is empty'
    : `The database (${databaseFile(folder)}) is gone`
  return new StartError(
    `${what}, although ${join(folder, keptSnapshotName)} shows that it was in use. Restore it from a backup. ` +
      `To begin again with an empty one, move ${keptSnapshotName} out of the folder first.`,
  )
}
