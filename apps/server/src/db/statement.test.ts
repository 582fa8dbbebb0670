import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import type { Db } from './connect.ts'
import { hasChanged, statement } from './statement.ts'
import type { NewRow, RowChange } from './tables.ts'
import { transact } from './transactions/transaction.ts'
import { keyOf } from '../../test/rows/carry-document.ts'

let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await createTestDatabase()
  db = database.db
})
afterAll(() => database.drop())
beforeEach(() => db.deleteFrom('document').execute())

const at = '2026-06-01T08:00:00.000Z'
const row = { kind: 'tax', is_test: 0, state: 'open', created_at: at, updated_at: at } as const

let built = 0
const insert = statement((db, { document }: { document: NewRow<'document'> }) => {
  built++
  return db.insertInto('document').values(document).returning(['id', 'reference'])
})
const change = statement(
  (db: Db, { id, columns }: { id: number; columns: RowChange<'document'> }) =>
    db.updateTable('document').set(columns).where('id', '=', id).where('is_test', '=', 0),
)

it('is built once for each set of columns, and executed with the values of each call', async () => {
  for (const reference of ['A', 'B']) {
    const { rows } = await insert(db, { document: { ...row, ...keyOf(reference) } })
    expect(rows).toEqual([{ id: expect.any(Number) as number, reference }])
  }
  await transact(db, ({ db: within }) => insert(within, { document: { ...row, ...keyOf('C') } }))
  expect(built).toBe(1)
  await insert(db, { document: { ...row, ...keyOf('D'), original_reference: 'A' } })
  expect(built).toBe(2)
  const kept = await db
    .selectFrom('document')
    .select(['reference', 'original_reference'])
    .orderBy('id')
    .execute()
  expect(kept).toEqual([
    { reference: 'A', original_reference: null },
    { reference: 'B', original_reference: null },
    { reference: 'C', original_reference: null },
    { reference: 'D', original_reference: 'A' },
  ])
})

it('leaves out what is undefined, stores null, and says whether a row has changed', async () => {
  const { rows } = await insert(db, {
    document: { ...row, ...keyOf('A'), original_reference: 'Z' },
  })
  const id = rows[0]?.id ?? 0
  const same = await change(db, {
    id,
    columns: { state: 'accepted', original_reference: undefined },
  })
  expect(hasChanged(same)).toBe(true)
  const find = () =>
    db.selectFrom('document').select(['state', 'original_reference']).executeTakeFirst()
  expect(await find()).toEqual({ state: 'accepted', original_reference: 'Z' })
  await change(db, { id, columns: { state: 'accepted', original_reference: null } })
  expect(await find()).toEqual({ state: 'accepted', original_reference: null })
  expect(hasChanged(await change(db, { id: id + 1, columns: { state: 'open' } }))).toBe(false)
})

it('takes rows and lists, of which each length makes another text', async () => {
  const insertAll = statement((db: Db, { rows }: { rows: readonly NewRow<'document'>[] }) =>
    db.insertInto('document').values(rows),
  )
  const find = statement((db: Db, { references }: { references: readonly string[] }) =>
    db
      .selectFrom('document')
      .select('reference')
      .where('reference', 'in', references)
      .orderBy('reference'),
  )
  await insertAll(db, {
    rows: ['A', 'B', 'C'].map((reference) => ({ ...row, ...keyOf(reference) })),
  })
  const found = async (...references: string[]) =>
    (await find(db, { references })).rows.map(({ reference }) => reference)
  expect(await found('A', 'C')).toEqual(['A', 'C'])
  expect(await found('B', 'X')).toEqual(['B'])
  expect(await found('C')).toEqual(['C'])
})
