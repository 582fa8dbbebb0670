import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { connect, databaseFile, type Db } from '../src/db/connect.ts'
import { openReader } from '../src/db/reading/reader.ts'
import { migrate } from '../src/db/migrate.ts'
import { seed } from '../src/db/seed.ts'

/** Set by the test run for the suite that runs on PostgreSQL; without it tests run on SQLite. */
const serverUrl = process.env.TEST_DATABASE_URL

// Migrating takes longer than most tests: it is done once, and each test gets a copy.
let template: Promise<string> | undefined
let sqliteTemplate: Promise<Buffer> | undefined

export interface TestDatabase {
  db: Db
  readers: Db
  drop: () => Promise<void>
}

/** A fresh database, migrated and seeded; `drop` closes and removes it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  if (!serverUrl) {
    const db = connect({ kind: 'memory', content: await sqliteContent() })
    return { db, readers: db, drop: () => db.destroy() }
  }
  const { url, drop } = await createPostgres(await templateName())
  const db = connect({ kind: 'postgres', url })
  return {
    db,
    readers: db,
    drop: async () => {
      await db.destroy()
      await drop()
    },
  }
}

/** As `createTestDatabase`, but a SQLite database lies in a file, and its readers are threads. */
export async function createFileDatabase(): Promise<TestDatabase> {
  if (serverUrl) return createTestDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  const source = { kind: 'file', folder } as const
  await writeSqliteFile(folder)
  const db = connect(source)
  const reader = openReader(source, db)
  return {
    db,
    readers: reader.readers,
    drop: async () => {
      await reader.close()
      await db.destroy()
      rmSync(folder, { recursive: true })
    },
  }
}

/** A database of PostgreSQL, for processes to use. */
interface PostgresDatabase {
  url: string
  drop: () => Promise<void>
}

/** The connection string of a new, empty database; SQLite has none. */
export async function createEmptyPostgres(): Promise<PostgresDatabase | undefined> {
  return serverUrl ? createPostgres() : undefined
}

/** The same, migrated and seeded: a start that migrates costs a third more. */
export async function createPreparedPostgres(): Promise<PostgresDatabase | undefined> {
  return serverUrl ? createPostgres(await templateName()) : undefined
}

/** What a server begins on, migrated and seeded: a new database of PostgreSQL, or a file in this folder. */
export async function createPrepared(folder: string): Promise<PostgresDatabase | undefined> {
  if (!serverUrl) await writeSqliteFile(folder)
  return createPreparedPostgres()
}

/** A copy of a template, or empty. */
async function createPostgres(template?: string): Promise<PostgresDatabase> {
  const name = databaseName()
  await onServer(`create database ${name}${template ? ` template ${template}` : ''}`)
  return {
    url: urlOf(name),
    drop: async () => void (await onServer(`drop database ${name} with (force)`)),
  }
}

const templateName = () => (template ??= createTemplate())

/** What `create database` gets to copy it. */
async function createTemplate(): Promise<string> {
  const name = databaseName()
  await onServer(`create database ${name}`)
  const db = connect({ kind: 'postgres', url: urlOf(name) })
  await prepareDatabase(db)
  await db.destroy()
  // Half the work of the log that PostgreSQL writes otherwise; since 15, before there was only this.
  const [{ isChosen } = { isChosen: false }] = await onServer(
    `select current_setting('server_version_num')::int >= 150000 as "isChosen"`,
  )
  return isChosen ? `${name} strategy file_copy` : name
}

/** Puts a migrated and seeded SQLite database into a folder, for `connect` to open. */
export async function writeSqliteFile(folder: string): Promise<void> {
  writeFileSync(databaseFile(folder), await sqliteContent())
}

/** A migrated and seeded SQLite database, as the bytes of its file. */
const sqliteContent = (): Promise<Buffer> => (sqliteTemplate ??= createSqliteContent())

async function createSqliteContent(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-template-'))
  const file = join(folder, 'template.sqlite')
  const db = connect({ kind: 'memory' })
  try {
    await prepareDatabase(db)
    await sql`vacuum into ${file}`.execute(db)
    return readFileSync(file)
  } finally {
    await db.destroy()
    rmSync(folder, { recursive: true })
  }
}

export async function prepareDatabase(db: Db): Promise<void> {
  await migrate(db)
  await seed(db, new Date('2026-01-01T00:00:00Z'))
}

const databaseName = () => `test_${randomBytes(8).toString('hex')}`

function urlOf(database: string): string {
  const url = new URL(serverUrl ?? '')
  url.pathname = `/${database}`
  return url.href
}

// Kept open: to connect costs more than what it is asked for. They end with the process.
let connections: pg.Pool | undefined

async function onServer(statement: string): Promise<{ isChosen?: boolean }[]> {
  // The server ends before some of the processes that run tests.
  connections ??= new pg.Pool({ connectionString: serverUrl, max: 4, allowExitOnIdle: true }).on(
    'error',
    () => {},
  )
  return (await connections.query<{ isChosen?: boolean }>(statement)).rows
}
