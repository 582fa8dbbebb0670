import { Kysely, SqliteDialect, type SqliteDatabase } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { prepareDatabase } from '../../../test/test-database.ts'
import type { Db } from '../connect.ts'
import { openSqlite } from '../sqlite-database.ts'
import type { Database } from '../tables.ts'
import { transact } from './transaction.ts'
import { keyOf } from '../../../test/rows/carry-document.ts'

let db: Db
let commits: number
let isFull: boolean
beforeEach(async () => {
  isFull = false
  db = new Kysely<Database>({ dialect: new SqliteDialect({ database: watched() }) })
  await prepareDatabase(db)
  commits = 0
})
afterEach(() => db.destroy())

/** A database that counts its commits, and refuses them while `isFull`. */
function watched(): SqliteDatabase {
  const database = openSqlite(':memory:')
  return {
    prepare: (sql) => {
      if (sql === 'commit' && isFull) throw new Error('the disk is full')
      if (sql === 'commit') commits++
      return database.prepare(sql)
    },
    close: () => database.close(),
  }
}

const add = (reference: string, fails = false) =>
  transact(
    db,
    async ({ db: within, withCommit }) => {
      const row = { ...keyOf(reference), state: 'open' } as const
      const times = { created_at: 'now', updated_at: 'now' }
      withCommit(
        within
          .insertInto('document')
          .values({ ...row, ...times })
          .execute(),
      )
      await within.selectFrom('document').select('id').execute()
      if (fails) throw new Error(`not ${reference}`)
      return reference
    },
    { sharesCommit: true },
  )
const references = async () =>
  (await db.selectFrom('document').select('reference').orderBy('id').execute()).map(
    (row) => row.reference,
  )
const letters = [...'ABCDEFGH']

it('works that wait at the same time share a commit', async () => {
  expect(await Promise.all(letters.map((letter) => add(letter)))).toEqual(letters)
  expect(commits).toBe(1)
  expect(await references()).toEqual(letters)
})

it('one that fails takes back its own writes alone', async () => {
  const settled = await Promise.allSettled(letters.map((letter) => add(letter, letter === 'C')))
  const failed = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  expect(failed).toEqual([new Error('not C')])
  expect(await references()).toEqual([...'ABDEFGH'])
  // Its write was not at fault: a write that fails does the same.
  await expect(add('A')).rejects.toThrow(/UNIQUE/)
  expect(await add('I')).toBe('I')
})

it('none is answered before the commit', async () => {
  const seen: number[] = []
  await Promise.all(letters.map((letter) => add(letter).then(() => seen.push(commits))))
  expect(seen).toEqual(letters.map(() => 1))
})

it('where the commit fails, all have failed and nothing stays', async () => {
  isFull = true
  const settled = await Promise.allSettled(letters.map((letter) => add(letter)))
  expect(settled.map(({ status }) => status)).toEqual(letters.map(() => 'rejected'))
  isFull = false
  expect(await references()).toEqual([])
  expect(await add('A')).toBe('A')
})

it('other transactions come between two groups', async () => {
  const other = transact(db, async ({ db: within }) => {
    await within.selectFrom('document').select('id').execute()
    return 'other'
  })
  expect(await Promise.all([add('A'), other, add('B')])).toEqual(['A', 'other', 'B'])
})
