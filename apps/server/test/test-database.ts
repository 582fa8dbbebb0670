import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { connect, type Db } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import { seed } from '../src/db/seed.ts'

/** Set by the test run for the suite that runs on PostgreSQL; without it tests run on SQLite. */
const serverUrl = process.env.TEST_DATABASE_URL

let template: Promise<string> | undefined

/** A fresh database, migrated and seeded; `drop` closes and removes it. */
export async function createTestDatabase(): Promise<{ db: Db; drop: () => Promise<void> }> {
  if (!serverUrl) {
    const db = connect({ kind: 'memory' })
    await prepareDatabase(db)
    return { db, drop: () => db.destroy() }
  }
  template ??= createTemplate()
  const name = databaseName()
  await onServer(`create database ${name} template ${await template}`)
  const db = connect({ kind: 'postgres', url: urlOf(name) })
  return {
    db,
    drop: async () => {
      await db.destroy()
      await onServer(`drop database ${name} with (force)`)
    },
  }
}

/** The connection string of a new, empty database; SQLite has none. */
export async function createEmptyPostgres(): Promise<
  { url: string; drop: () => Promise<void> } | undefined
> {
  if (!serverUrl) return undefined
  const name = databaseName()
  await onServer(`create database ${name}`)
  return { url: urlOf(name), drop: () => onServer(`drop database ${name} with (force)`) }
}

async function createTemplate(): Promise<string> {
  const name = databaseName()
  await onServer(`create database ${name}`)
  const db = connect({ kind: 'postgres', url: urlOf(name) })
  await prepareDatabase(db)
  await db.destroy()
  return name
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

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
