import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createEmptyPostgres } from '../../test/test-database.ts'
import { connect } from './connect.ts'
import { isDatabaseAway } from './database-away.ts'

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

it.each([
  ['refused', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), true],
  ['starting up', Object.assign(new Error('starting up'), { code: '57P03' }), true],
  ['wrapped', new Error('outer', { cause: new Error('Connection terminated unexpectedly') }), true],
  ['a wrong password', Object.assign(new Error('password'), { code: '28P01' }), false],
  ['a database that does not exist', Object.assign(new Error('x'), { code: '3D000' }), false],
  ['a broken migration', new Error('The database could not be brought up to date.'), false],
])(
  'distinguishes a database that is away from one that can’t be used: %s',
  (_name, error, expected) => {
    expect(isDatabaseAway(error)).toBe(expected)
  },
)
