import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import { StartError } from '../settings/data-dir.ts'
import { connect, databaseFile, sourceOf, type Db } from '../db/connect.ts'
import { compareMigrations, listMigrations, migrationsOf } from '../db/migrate.ts'
import { startRefusal } from '../open-database.ts'
import type { Settings } from '../settings/settings.ts'

/** Where the database is, without its password. */
export function nameOfDatabase({
  databaseUrl,
  dataDir,
}: Pick<Settings, 'databaseUrl' | 'dataDir'>): string {
  if (databaseUrl === undefined) return databaseFile(dataDir)
  return databaseUrl.replace(/\/\/[^@/]*@/, '//').replace(/\?.*$/, '')
}

/**
 * Connects to the database of the server as it is, which may run meanwhile: nothing is made and nothing is
 * migrated. Throws a StartError where it is not there.
 */
export async function connectToExisting(
  settings: Pick<Settings, 'databaseUrl' | 'dataDir'>,
): Promise<Db> {
  const { databaseUrl, dataDir } = settings
  if (databaseUrl === undefined && !existsSync(databaseFile(dataDir)))
    throw new StartError(`There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL.`)
  const db = connect(sourceOf(databaseUrl, dataDir, 2))
  try {
    await sql`select 1`.execute(db)
    return db
  } catch (error) {
    await db.destroy()
    throw startRefusal(error, databaseUrl, dataDir)
  }
}

/** How the schema compares with this version: which migrations are missing, and which it does not know. */
export async function compareSchema(db: Db): Promise<{ missing: string[]; unknown: string[] }> {
  const [made, known] = await Promise.all([migrationsOf(db), listMigrations()])
  return compareMigrations(made, known)
}

/** Throws a StartError unless the schema is that of this version. */
async function refuseOtherSchema(db: Db): Promise<void> {
  const { missing, unknown } = await compareSchema(db)
  if (unknown.length > 0)
    throw new StartError(
      `The database was made by a newer version (${unknown.at(-1)}). Run this command with that version.`,
    )
  if (missing.length > 0)
    throw new StartError(
      `The database is of an older version (without ${missing[0]}). Start the server of this version first.`,
    )
}

/** Does the work on the database of the server, whose schema has to be that of this version. */
export async function onDatabase<T>(
  settings: Pick<Settings, 'databaseUrl' | 'dataDir'>,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const db = await connectToExisting(settings)
  try {
    await refuseOtherSchema(db)
    return await work(db)
  } finally {
    await db.destroy()
  }
}
