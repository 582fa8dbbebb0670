import { readdir } from 'node:fs/promises'
import { parse } from 'node:path'
import { sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import type { Db } from './connect.ts'
import { isPostgres } from './dialect.ts'

const folder = new URL('../../migrations/', import.meta.url)
/** Where Kysely's Migrator notes what it has done. */
const migrationTable = 'kysely_migration'

/**
 * Every file of the `migrations` folder, under its name without the ending (`.mjs` in a build). Forward
 * only: a migration that has been released is never changed; a new one follows it.
 */
export async function getMigrations(): Promise<Record<string, Migration>> {
  const load = async (file: string): Promise<[string, Migration]> => [
    parse(file).name,
    await import(new URL(file, folder).href),
  ]
  return Object.fromEntries(await Promise.all((await listFiles()).map(load)))
}

const listFiles = async () =>
  (await readdir(folder)).filter((file) => /^\d{4}-.*\.(?:ts|mjs)$/.test(file)).toSorted()

/** The names of the migrations that this version knows, in their order. */
export const listMigrations = async (): Promise<string[]> =>
  (await listFiles()).map((file) => parse(file).name)

/** The names of the migrations that the database has been through, in their order; none where it is new. */
export async function migrationsOf(db: Db): Promise<string[]> {
  const known = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!known.some(({ name }) => name === migrationTable)) return []
  const { rows } = await sql<{
    name: string
  }>`select name from ${sql.table(migrationTable)} order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Brings the schema up to date, all or nothing. Servers that start together on one PostgreSQL wait
 * for each other. Throws when the database was made by a newer version. Tests of migrations name the `last`
 * one to make.
 */
export async function migrate(db: Db, last?: string): Promise<void> {
  await refuseNewer(db)
  await db.connection().execute(async (one) => {
    // A migration takes its time, and so does waiting for another server that makes it.
    if (isPostgres(one)) await sql`set statement_timeout = 0; set lock_timeout = 0`.execute(one)
    const migrator = new Migrator({ db: one, provider: { getMigrations } })
    const { error } = await (last === undefined
      ? migrator.migrateToLatest()
      : migrator.migrateTo(last))
    if (error) throw new Error('The database could not be brought up to date.', { cause: error })
    if (isPostgres(one)) await sql`reset statement_timeout; reset lock_timeout`.execute(one)
  })
}

/** Kysely's Migrator would call it corrupted. */
async function refuseNewer(db: Db): Promise<void> {
  const known = await listMigrations()
  const unknown = (await migrationsOf(db)).filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw new Error(
    `it was made by a newer version (${unknown.at(-1)}). Start that version, or restore the backup from before the upgrade`,
  )
}
