import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { countRoundTrips } from '../../../test/counting/count-round-trips.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { allOf } from '../all-of.ts'
import { isPostgres } from '../dialect.ts'
import { repeatOnConflict } from './repeat-on-conflict.ts'
import { transact } from './transaction.ts'
import type { Db } from '../connect.ts'
import { keyOf } from '../../../test/rows/carry-document.ts'

let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await createTestDatabase()
  db = database.db
})
afterAll(() => database.drop())
beforeEach(() => db.deleteFrom('document').execute())

const now = '2026-06-01T08:00:00.000Z'
const insert = (within: Db, reference: string, id?: number) =>
  within
    .insertInto('document')
    .values({
      ...(id === undefined ? {} : { id }),
      ...keyOf(reference),
      state: 'open',
      created_at: now,
      updated_at: now,
    })
    .execute()
const references = async (within: Db = db) =>
  (await within.selectFrom('document').select('reference').orderBy('id').execute()).map(
    ({ reference }) => reference,
  )

it('commits all that was written, or nothing', async () => {
  await transact(db, async ({ db: within }) => {
    await insert(within, 'A')
    await insert(within, 'B')
  })
  await expect(
    transact(db, async ({ db: within }) => {
      await insert(within, 'C')
      throw new Error('not this one')
    }),
  ).rejects.toThrow('not this one')
  expect(await references()).toEqual(['A', 'B'])
})

it('statements that begin together are done in the order of their calls', async () => {
  const seen = await transact(db, ({ db: within }) =>
    allOf([
      insert(within, 'A'),
      references(within),
      sql`update document set reference = 'B'`.execute(within),
      references(within),
      within.deleteFrom('document').execute(),
      references(within),
      insert(within, 'C'),
    ]),
  )
  expect([seen[1], seen[3], seen[5]]).toEqual([['A'], ['B'], []])
  expect(await references()).toEqual(['C'])
})

it('the commit waits for the writes that it was handed, and fails where one does', async () => {
  await transact(db, async ({ db: within, withCommit }) => {
    withCommit(insert(within, 'A', 1))
  })
  const failed = transact(db, async ({ db: within, withCommit }) => {
    withCommit(insert(within, 'B', 2))
    withCommit(insert(within, 'again', 1))
  })
  await expect(failed).rejects.toThrow(/unique/i)
  expect(await references()).toEqual(['A'])
})

it('a statement after the end of its transaction changes nothing', async () => {
  let late: Promise<unknown> = Promise.resolve()
  const failed = transact(db, async ({ db: within }) => {
    const other = insert(within, 'A').then(() => insert(within, 'too late'))
    late = other.catch((error: unknown) => error)
    throw new Error('not this one')
  })
  await expect(failed).rejects.toThrow('not this one')
  expect(await late).toBeInstanceOf(Error)
  expect(await references()).toEqual([])
})

it('an error that the work swallowed does not commit the rest unseen', async () => {
  const work = transact(db, async ({ db: within }) => {
    await insert(within, 'A', 1)
    await insert(within, 'again', 1).catch(() => {})
  })
  if (isPostgres(db)) await expect(work).rejects.toThrow('had failed before its COMMIT')
  else await work
  expect(await references()).toEqual(isPostgres(db) ? [] : ['A'])
})

it('the next transaction works after one whose connection broke', async ({ skip }) => {
  if (!isPostgres(db)) skip('SQLite has no connection that breaks.')
  const broken = transact(db, async ({ db: within }) => {
    await insert(within, 'A')
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(within)
  })
  await expect(broken).rejects.toThrow()
  await transact(db, ({ db: within }) => insert(within, 'B'))
  expect(await references()).toEqual(['B'])
})

it('on PostgreSQL, BEGIN and COMMIT take no round trips of their own', async ({ skip }) => {
  if (!isPostgres(db)) skip('SQLite has no round trips.')
  const withWrites = await countRoundTrips(() =>
    transact(db, async ({ db: within, withCommit }) => {
      withCommit(insert(within, 'A'))
      withCommit(insert(within, 'B'))
    }),
  )
  const thatReads = await countRoundTrips(() =>
    transact(db, async ({ db: within, withCommit }) => {
      await allOf([references(within), references(within)])
      withCommit(insert(within, 'C'))
    }),
  )
  const withNothing = await countRoundTrips(() => transact(db, async () => {}))
  expect({ withWrites, thatReads, withNothing }).toEqual({
    withWrites: 1,
    thatReads: 2,
    withNothing: 0,
  })
})

it('goes on where a table has changed since its statements were prepared', async ({ skip }) => {
  if (!isPostgres(db)) skip('SQLite prepares again by itself.')
  const readAll = () =>
    repeatOnConflict(() =>
      transact(db, ({ db: within }) => within.selectFrom('document').selectAll().execute()),
    )
  for (let time = 0; time < 3; time++) await readAll()
  await sql`alter table document add column later text`.execute(db)
  await insert(db, 'A')
  expect(await readAll()).toMatchObject([{ reference: 'A', later: null }])
})
