import { readdir } from 'node:fs/promises'
import { parse } from 'node:path'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { adopt, adoptionName, isFromBefore, lastOfBaseline, refuseOlder } from './adoption/adopt.ts'
import type { Db } from './connect.ts'
import { isPostgres } from './dialect.ts'

const folder = new URL('../../migrations/', import.meta.url)
/** What was done is noted as the Migrator of Kysely notes it. */
const migrationTable = 'kysely_migration'

/**
 * Every file of the `migrations` folder, under its name without the ending (`.mjs` in a build): those of 0.1.0, one
 * for each noun, and those that have come since. Forward only: a released one is never changed; a new one follows it.
 */
async function getMigrations(): Promise<Record<string, Migration>> {
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
  return namesIn(db)
}

async function namesIn(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    name: string
  }>`select name from ${sql.table(migrationTable)} order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** How the notes of a database compare with the migrations of this version. */
export function compareMigrations(made: readonly string[], known: readonly string[]) {
  return {
    missing: known.filter((name) => !made.includes(name)),
    unknown: made.filter((name) => !known.includes(name) && !isFromBefore([name])),
  }
}

/**
 * The migrations that the database has not been through, in their order, up to the `last` one; for a database of a
 * version before 0.1.0 its adoption comes first. Throws where a newer version made the database, or one that is too
 * old to be adopted.
 */
export async function pendingMigrations(db: Db, last?: string): Promise<string[]> {
  const [made, known] = await Promise.all([migrationsOf(db), listMigrations()])
  refuseNewer(made, known)
  const pending = known.filter(
    (name) => !made.includes(name) && (last === undefined || name <= last),
  )
  if (!isFromBefore(made)) return pending
  refuseOlder(made)
  return [adoptionName, ...pending.filter((name) => name > lastOfBaseline)]
}

/** One migration of those that a start makes. */
export interface MigrationStep {
  name: string
  /** From 1. */
  number: number
  total: number
}

/** Hears of each migration before it begins, and how long it took once it is committed. */
export interface MigrationWatch {
  onBegin?: (step: MigrationStep) => void
  onDone?: (step: MigrationStep, durationMs: number) => void
}

/**
 * Brings the schema up to date. Each migration is committed together with the row that says so: whatever ends the
 * process, the next start goes on where this one was. Servers that start together on one PostgreSQL make each
 * migration once. Throws as `pendingMigrations` does. Tests of migrations name the `last` one to make.
 */
export async function migrate(db: Db, last?: string, watch: MigrationWatch = {}): Promise<void> {
  const pending = await pendingMigrations(db, last)
  if (pending.length === 0) return
  const migrations = await getMigrations()
  await createMigrationTable(db)
  for (const [index, name] of pending.entries()) {
    const step = { name, number: index + 1, total: pending.length }
    watch.onBegin?.(step)
    const beganMs = performance.now()
    await (name === adoptionName ? adoptOnce(db, migrations) : carryOut(db, name, migrations))
    watch.onDone?.(step, performance.now() - beganMs)
  }
}

/** Unless another server has made it meanwhile. */
async function carryOut(
  db: Db,
  name: string,
  migrations: Record<string, Migration>,
): Promise<void> {
  try {
    await db.transaction().execute(async (transaction) => {
      await takeTurns(transaction)
      // The first statement is a write: SQLite's transaction waits here for a command that writes, and does not fail later.
      const { rows } = await sql`insert into ${sql.table(migrationTable)} (name, timestamp)
        values (${name}, ${new Date().toISOString()}) on conflict (name) do nothing returning name`.execute(
        transaction,
      )
      if (rows.length === 0) return
      refuseNewer(await namesIn(transaction), Object.keys(migrations))
      await migrations[name]!.up(transaction)
    })
  } catch (cause) {
    throw new Error(`The migration ${name} failed.`, { cause })
  }
}

/** All of it or nothing; unless another server has done it meanwhile. */
async function adoptOnce(db: Db, migrations: Record<string, Migration>): Promise<void> {
  const baseline = Object.entries(migrations).filter(([name]) => name <= lastOfBaseline)
  try {
    await db.transaction().execute(async (transaction) => {
      await takeTurns(transaction)
      const made = await note(
        transaction,
        baseline.map(([name]) => name),
      )
      if (!isFromBefore(made)) return
      await adopt(
        transaction,
        made,
        baseline.map(([, migration]) => migration),
      )
    })
  } catch (cause) {
    throw new Error('The database could not be adopted by 0.1.0.', { cause })
  }
}

/** Notes these migrations in place of those that were noted, which it returns. */
export async function note(transaction: Db, names: readonly string[]): Promise<string[]> {
  const table = sql.table(migrationTable)
  const { rows } = await sql<{ name: string }>`delete from ${table} returning name`.execute(
    transaction,
  )
  const at = new Date().toISOString()
  for (const name of names)
    await sql`insert into ${table} (name, timestamp) values (${name}, ${at})`.execute(transaction)
  return rows.map(({ name }) => name).toSorted()
}

const createMigrationTable = (db: Db) =>
  db.transaction().execute(async (transaction) => {
    await takeTurns(transaction)
    await transaction.schema
      .createTable(migrationTable)
      .ifNotExists()
      .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
      .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
      .execute()
  })

/** All servers that migrate take it: that of Kysely's Migrator. */
const migrationLock = 3853314791062309107n

/**
 * One server at a time migrates a PostgreSQL. A migration takes its time, and so does waiting for another server
 * that makes it. SQLite has one server only.
 */
async function takeTurns(transaction: Db): Promise<void> {
  if (!isPostgres(transaction)) return
  await sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`.execute(
    transaction,
  )
  await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(transaction)
}

function refuseNewer(made: readonly string[], known: readonly string[]): void {
  const { unknown } = compareMigrations(made, known)
  if (unknown.length === 0) return
  throw new Error(
    `it was made by a newer version (${unknown.at(-1)}). Start that version, or restore the backup from before the upgrade`,
  )
}
