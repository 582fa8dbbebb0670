import { setTimeout as delay } from 'node:timers/promises'
import { sql, type KyselyPlugin } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { createEmptyPostgres } from '../../test/test-database.ts'
import { connect, type Db } from './connect.ts'
import { listMigrations, migrate, migrationsOf, type MigrationStep } from './migrate.ts'

async function openEmpty() {
  const postgres = await createEmptyPostgres()
  const open = (): Db => {
    const db = connect(postgres ? { kind: 'postgres', url: postgres.url } : { kind: 'memory' })
    opened.push(db)
    return db
  }
  const opened: Db[] = []
  onTestFinished(async () => {
    for (const db of opened) await db.destroy()
    await postgres?.drop()
  })
  return { isPostgres: postgres !== undefined, open }
}

const columnsOf = async (db: Db) =>
  (await db.introspection.getTables())
    .flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
    .toSorted()

/** Lets each statement fail from one on. */
function failingFrom(at: number): KyselyPlugin {
  let statements = 0
  return {
    transformQuery: ({ node }) => {
      if (++statements >= at) throw new Error('broken off')
      return node
    },
    transformResult: async ({ result }) => result,
  }
}

it('a migration that breaks off leaves nothing of itself, and the next start goes on with it', async () => {
  const db = (await openEmpty()).open()
  const names = await listMigrations()
  await expect(migrate(db.withPlugin(failingFrom(100)))).rejects.toThrow(/^The migration \d{4}-/)
  const made = await migrationsOf(db)
  expect(made).toEqual(names.slice(0, made.length))
  expect(made.length).toBeGreaterThan(10)
  // The tables are those of the migrations that are noted.
  const other = (await openEmpty()).open()
  await migrate(other, made.at(-1) ?? '')
  expect(await columnsOf(db)).toEqual(await columnsOf(other))
  await Promise.all([migrate(db), migrate(other)])
  expect(await migrationsOf(db)).toEqual(names)
  expect(await columnsOf(db)).toEqual(await columnsOf(other))
})

it('each migration is reported before it begins and once it is made', async () => {
  const db = (await openEmpty()).open()
  const names = await listMigrations()
  await migrate(db, names[2])
  const [begun, done]: [MigrationStep[], string[]] = [[], []]
  await migrate(db, names[5], {
    onBegin: (step) => begun.push(step),
    onDone: ({ name }, durationMs) => done.push(durationMs > 0 ? name : ''),
  })
  expect(begun).toEqual(
    [3, 4, 5].map((index) => ({ name: names[index], number: index - 2, total: 3 })),
  )
  expect(done).toEqual(names.slice(3, 6))
})

it('servers that start together on one PostgreSQL make each migration once', async (context) => {
  const { isPostgres, open } = await openEmpty()
  if (!isPostgres) context.skip('SQLite has one server')
  const servers = [open(), open(), open()]
  const done: string[] = []
  await Promise.all(
    servers.map((db) => migrate(db, undefined, { onDone: ({ name }) => done.push(name) })),
  )
  expect(await migrationsOf(servers[0]!)).toEqual(await listMigrations())
  expect(new Set(done).size).toBe((await listMigrations()).length)
})

it('a server waits for another one that migrates', async (context) => {
  const { isPostgres, open } = await openEmpty()
  if (!isPostgres) context.skip('SQLite has one server')
  const [other, db] = [open(), open()]
  await other.connection().execute(async (one) => {
    await sql`select pg_advisory_lock(3853314791062309107)`.execute(one)
    const migrating = migrate(db)
    for (let waiting = 0; waiting === 0; await delay(10)) {
      const { rows } = await sql<{ count: number }>`select count(*) as count from pg_locks
        where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`.execute(
        one,
      )
      waiting = rows[0]!.count
    }
    expect(await migrationsOf(one)).toEqual([])
    await sql`select pg_advisory_unlock(3853314791062309107)`.execute(one)
    await migrating
  })
  expect(await migrationsOf(db)).toEqual(await listMigrations())
})
