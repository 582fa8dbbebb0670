import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase } from '../../test/test-database.ts'
import type { Db } from './connect.ts'
import { migrate } from './migrate.ts'
import { seed } from './seed.ts'
import { tables } from './tables.ts'

let db: Db
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, drop } = await createTestDatabase())
})
afterAll(() => drop())

it('the migrations leave exactly the tables and columns of tables.ts', async () => {
  const migrated = await db.introspection.getTables()
  const found = Object.fromEntries(
    migrated
      .filter(({ name }) => !name.startsWith('kysely_') && !name.startsWith('sqlite_'))
      // SQLite keeps its search indexes in tables.
      .filter(({ name }) => !/_search(_|$)/.test(name))
      .map(({ name, columns: found_ }) => [name, found_.map((column) => column.name).toSorted()]),
  )
  const expected = Object.fromEntries(
    Object.entries(tables).map(([name, each]) => [name, Object.keys(each).toSorted()]),
  )
  expect(found).toEqual(expected)
})

it('migrating and seeding again changes nothing', async () => {
  const snapshot = async () =>
    JSON.stringify([
      await db.selectFrom('role').selectAll().orderBy('id').execute(),
      await db.selectFrom('permission').selectAll().orderBy('id').execute(),
      await db
        .selectFrom('role_permission')
        .selectAll()
        .orderBy('role_id')
        .orderBy('permission_id')
        .execute(),
      await db.selectFrom('user').selectAll().orderBy('id').execute(),
    ])
  const before = await snapshot()
  await migrate(db)
  await seed(db, new Date())
  expect(await snapshot()).toBe(before)
})

it('seeds user 4 as a gateway client that cannot sign in, and numbers new accounts from 5', async () => {
  const client = await db
    .selectFrom('user')
    .selectAll()
    .where('id', '=', 4)
    .executeTakeFirstOrThrow()
  expect(client).toMatchObject({ name: 'Gateway client', password_hash: null })
  const now = new Date().toISOString()
  const next = await db
    .insertInto('user')
    .values({
      name: 'x',
      email: 'x',
      email_key: 'x',
      username: 'x',
      username_key: 'x',
      password_hash: null,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect(next.id).toBe(5)
})

it('never gives an id twice', async () => {
  const insert = () =>
    db
      .insertInto('role')
      .values({ name: 'x', name_key: 'x' })
      .returning('id')
      .executeTakeFirstOrThrow()
  const first = await insert()
  await db.deleteFrom('role').where('id', '=', first.id).execute()
  expect((await insert()).id).toBeGreaterThan(first.id)
})
