import { readdir } from 'node:fs/promises'
import { parse } from 'node:path'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Db } from './connect.ts'
import { isPostgres } from './dialect.ts'

const folder = new URL('../../migrations/', import.meta.url)
/** Where the Migrator of Kysely noted in earlier releases what it had done. */
const migrationTable = 'kysely_migration'

/**
 * Every file of the `migrations` folder, under its name without the ending (`.mjs` in a build). Forward
 * only: a migration that has been released is never changed; a new one follows it.
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

/** The migrations that the database has not been through, in their order, up to the `last` one. */
export async function pendingMigrations(db: Db, last?: string): Promise<string[]> {
  const [made, known] = await Promise.all([migrationsOf(db), listMigrations()])
  return known.filter((name) => !made.includes(name) && (last === undefined || name <= last))
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
 * migration once. Throws when the database was made by a newer version. Tests of migrations name the `last` one to
 * make.
 */
export async function migrate(db: Db, last?: string, watch: MigrationWatch = {}): Promise<void> {
  refuseNewer(await migrationsOf(db), await listMigrations())
  const pending = await pendingMigrations(db, last)
  if (pending.length === 0) return
  const migrations = await getMigrations()
  await createMigrationTable(db)
  for (const [index, name] of pending.entries()) {
    const step = { name, number: index + 1, total: pending.length }
    watch.onBegin?.(step)
    const beganMs = performance.now()
    await carryOut(db, name, migrations)
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

/** The lock of Kysely's Migrator, which servers of earlier releases hold while they migrate. */
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
  const unknown = made.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw new Error(
    `it was made by a newer version (${unknown.at(-1)}). Start that version, or restore the backup from before the upgrade`,
  )
}
