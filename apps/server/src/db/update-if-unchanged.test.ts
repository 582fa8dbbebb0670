import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { updateIfUnchanged } from './update-if-unchanged.ts'

let database: TestDatabase
beforeAll(async () => (database = await createTestDatabase()))
afterAll(() => database.drop())

const change = { name: 'Auditors', name_key: 'auditors' }

it('changes a row that has the version, and increments it', async () => {
  const role = await database.db.selectFrom('role').selectAll().executeTakeFirstOrThrow()
  const updated = await updateIfUnchanged(database.db, 'role', role.id, role.version, change)
  expect(updated).toMatchObject({ id: role.id, name: 'Auditors', version: role.version + 1 })
})

it.each([
  ['a row that another user has changed since', (id: number) => ({ id, version: 0 })],
  ['a row that is gone', () => ({ id: 4711, version: 1 })],
])('refuses %s, whatever the caller makes of the result', async (_, of) => {
  const { id } = await database.db.selectFrom('role').select('id').executeTakeFirstOrThrow()
  const given = of(id)
  await expect(
    updateIfUnchanged(database.db, 'role', given.id, given.version, change),
  ).rejects.toMatchObject({ code: 'record.changed' })
})
