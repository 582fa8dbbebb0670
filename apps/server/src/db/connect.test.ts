import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createEmptyPostgres } from '../../test/test-database.ts'
import { connect } from './connect.ts'
import { databaseTroubleOf } from './database-away.ts'

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

it.each([
  ['refused', error({ code: 'ECONNREFUSED' }), 'away'],
  ['starting up', error({ code: '57P03' }), 'away'],
  ['ended by an administrator', error({ code: '57P01' }), 'away'],
  ['a standby', error({ code: '25006' }), 'away'],
  ['a database that does not exist', error({ code: '3D000' }), 'away'],
  ['a password that was changed', error({ code: '28P01' }), 'away'],
  ['lost', new Error('Connection terminated unexpectedly'), 'away'],
  [
    'lost before',
    error({}, 'Client has encountered a connection error and is not queryable'),
    'away',
  ],
  ['wrapped', new Error('outer', { cause: error({ code: 'ECONNRESET' }) }), 'away'],
  ['one of several addresses', new AggregateError([error({ code: 'EHOSTUNREACH' })]), 'away'],
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
  expect(databaseTroubleOf(thrown)).toBe(expected)
})
