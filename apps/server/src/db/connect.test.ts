import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createEmptyPostgres, createFileDatabase } from '../../test/test-database.ts'
import { connect } from './connect.ts'
import { DatabaseAway, databaseTroubleOf, markDatabaseError } from './outages/database-away.ts'
import { isPostgres } from './dialect.ts'

it('a connection that breaks within a transaction fails that transaction, and nothing else', async () => {
  const database = await createEmptyPostgres()
  // SQLite has no connection that could break.
  if (!database) return
  const db = connect({ kind: 'postgres', url: database.url })
  try {
    const work = db.transaction().execute(async (transaction) => {
      const own = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
      const { pid } = own.rows[0]!
      // From another connection, and waiting until the server has ended the first.
      await sql`select pg_terminate_backend(${pid}, 5000)`.execute(db)
      await sql`select 1`.execute(db)
      await sql`select 1`.execute(transaction)
    })
    await expect(work).rejects.toThrow()
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
  } finally {
    await db.destroy()
    await database.drop()
  }
})

const error = (facts: object, message = 'x') => Object.assign(new Error(message), facts)
const away = new DatabaseAway('x')

it.each([
  ['refused', error({ code: 'ECONNREFUSED' }), 'away'],
  ['starting up', error({ code: '57P03' }), 'away'],
  ['ended by an administrator', error({ code: '57P01' }), 'away'],
  ['a standby', error({ code: '25006' }), 'away'],
  ['a database that does not exist', error({ code: '3D000' }), 'away'],
  ['a password that was changed', error({ code: '28P01' }), 'away'],
  ['one of several addresses', error({ code: 'EHOSTUNREACH' }), 'away'],
  ['no more connections', error({ code: '53300' }), 'busy'],
  ['a lock that was not given', error({ code: '55P03' }), 'busy'],
  ['a statement that took too long', error({ code: '57014' }), 'busy'],
  ['a transaction that was idle', error({ code: '25P03' }), 'busy'],
  ['deadlocks, again and again', error({ code: '40P01' }), 'busy'],
  ['a file that is locked', error({ code: 'ERR_SQLITE_ERROR', errcode: 5 }), 'busy'],
  ['a snapshot that is locked', error({ code: 'ERR_SQLITE_ERROR', errcode: 517 }), 'busy'],
  ['a value that is taken', error({ code: '23505' }), undefined],
  ['a broken migration', new Error('The database could not be brought up to date.'), undefined],
])('a database that is away or busy is told apart from a bug: %s', (_name, thrown, expected) => {
  expect(databaseTroubleOf(markDatabaseError(thrown))).toBe(expected)
  expect(databaseTroubleOf(new Error('outer', { cause: thrown }))).toBe(expected)
})

it('a connection that breaks is away, whatever the error says', () => {
  const lost = markDatabaseError(error({}), { isLost: true })
  expect([databaseTroubleOf(lost), databaseTroubleOf(away)]).toEqual(['away', 'away'])
})

it('what something else than the database refuses, lacks or breaks says nothing of it', async () => {
  const free = await listenAndClose()
  const refused = await fetch(`http://127.0.0.1:${free}`).catch((thrown: unknown) => thrown)
  expect(refused).toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  const missing = await readFile('/no/such/file').catch((thrown: unknown) => thrown)
  expect(missing).toMatchObject({ code: 'ENOENT' })
  const thrown = [
    refused,
    missing,
    new Error('Connection terminated unexpectedly'),
    error({ code: '57P01' }),
    error({ code: 'ERR_SQLITE_ERROR', errcode: 5 }),
  ]
  expect(thrown.map(databaseTroubleOf)).toEqual(thrown.map(() => undefined))
})

/** A port that nothing listens on. */
async function listenAndClose(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

it('a file that another process has locked is busy', async () => {
  const database = await createFileDatabase()
  const { db } = database
  try {
    if (isPostgres(db)) return
    const { rows } = await sql<{ file: string }>`select file from pragma_database_list`.execute(db)
    await sql`pragma busy_timeout = 1`.execute(db)
    const other = new DatabaseSync(rows[0]!.file)
    other.exec('begin immediate')
    const write = sql`update config_revision set revision = revision`.execute(db)
    expect(await write.catch(databaseTroubleOf)).toBe('busy')
    other.close()
  } finally {
    await database.drop()
  }
})
