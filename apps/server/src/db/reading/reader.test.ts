import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFileDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { isPostgres } from '../dialect.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createFileDatabase()
})
afterAll(() => database.drop())

const insertRole = (name: string) =>
  database.db.insertInto('role').values({ name, name_key: name }).execute()
const findRole = (name: string) =>
  database.readers.selectFrom('role').select('name').where('name', '=', name).execute()

/** Counts up to this number, which takes the database seconds. */
const count = (to: number) =>
  sql<{
    n: number
  }>`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(to)})
    select cast(max(n) as integer) as n from numbers`

it('sees every commit that came before the query', async () => {
  await insertRole('committed')
  expect(await findRole('committed')).toEqual([{ name: 'committed' }])
})

it('does not see what is not committed yet, and waits for no writer', async () => {
  await database.db.transaction().execute(async (transaction) => {
    await transaction.insertInto('role').values({ name: 'open', name_key: 'open' }).execute()
    expect(await findRole('open')).toEqual([])
  })
  expect(await findRole('open')).toEqual([{ name: 'open' }])
})

it('a long read holds up neither the event loop nor a write', async () => {
  let isOver = false
  const long = count(2_000_000)
    .execute(database.readers)
    .finally(() => {
      isOver = true
    })
  let turns = 0
  const written = insertRole('meanwhile').then(() => isOver)
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve))
    turns++
  }
  expect((await long).rows).toEqual([{ n: 2_000_000 }])
  expect(await written).toBe(false)
  // A read on this thread would have left it none.
  expect(turns).toBeGreaterThan(10)
})

it('answers many at once, each its own', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => count(index + 1).execute(database.readers)),
  )
  expect(answers.map(({ rows }) => rows[0]?.n)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
})

it('throws what the database says, and reads on', async () => {
  const failing = sql`select * from nowhere`.execute(database.readers)
  await expect(failing).rejects.toMatchObject({
    message: expect.stringContaining('nowhere') as string,
    // What a full or locked file is recognized by.
    ...(isPostgres(database.db) ? { code: '42P01' } : { code: 'ERR_SQLITE_ERROR', errcode: 1 }),
  })
  expect(await findRole('committed')).toHaveLength(1)
})

it('can’t write to a file, and takes no transaction', async () => {
  if (isPostgres(database.db)) return
  await expect(database.readers.deleteFrom('role').execute()).rejects.toThrow(/readonly/)
  await expect(database.readers.transaction().execute(() => Promise.resolve())).rejects.toThrow(
    'single queries',
  )
})

it('ends with the close, although a read is under way', async () => {
  const other = await createFileDatabase()
  await count(1).execute(other.readers)
  const long = Promise.allSettled([count(500_000).execute(other.readers)])
  await other.drop()
  expect(await long).toHaveLength(1)
  if (isPostgres(database.db)) return
  await expect(count(1).execute(other.readers)).rejects.toThrow()
})
