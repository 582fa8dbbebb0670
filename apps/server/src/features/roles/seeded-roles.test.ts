import { seedRoles, type Permission } from '@gatehouse/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { up } from '../../../migrations/0086-permissions-of-seeded-roles.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'

// An installation that was made before there were alarms, reconciliation, an archive and nodes.

const isNew = (name: string) => /^(alarm|reconciliation|archive|node)\./.test(name)

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
  const { db } = database
  const permissions = await db.selectFrom('permission').selectAll().execute()
  const ids = permissions.filter(({ name }) => isNew(name)).map(({ id }) => id)
  await db.deleteFrom('role_permission').where('permission_id', 'in', ids).execute()
  await db.deleteFrom('permission').where('id', 'in', ids).execute()
})
afterEach(() => database.drop())

async function permissionsOf(role: string): Promise<string[]> {
  const rows = await database.db
    .selectFrom('role_permission')
    .innerJoin('role', 'role.id', 'role_permission.role_id')
    .innerJoin('permission', 'permission.id', 'role_permission.permission_id')
    .select('permission.name')
    .where('role.name', '=', role)
    .execute()
  return rows.map(({ name }) => name).toSorted()
}
const roleId = async (name: string) =>
  (
    await database.db
      .selectFrom('role')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
  ).id

async function grant(role: string, name: Permission) {
  const { db } = database
  await db
    .insertInto('permission')
    .values({ name })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const { id } = await db
    .selectFrom('permission')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('role_permission')
    .values({ role_id: await roleId(role), permission_id: id })
    .execute()
}

it.each(['Admin', 'Operator', 'Auditor'] as const)(
  '%s gets what a new installation gives it',
  async (role) => {
    expect((await permissionsOf(role)).some(isNew)).toBe(false)
    await up(database.db as never)
    expect(await permissionsOf(role)).toEqual(seedRoles[role].toSorted())
    await up(database.db as never)
    expect(await permissionsOf(role)).toEqual(seedRoles[role].toSorted())
  },
)

it('a role that a person has changed stays as it is, and so does one with the name of another', async () => {
  await grant('Auditor', 'run.resolve')
  await database.db
    .deleteFrom('role_permission')
    .where('role_id', '=', await roleId('Operator'))
    .execute()
  await grant('Operator', 'run.view')
  await up(database.db as never)
  expect((await permissionsOf('Auditor')).some(isNew)).toBe(false)
  expect(await permissionsOf('Operator')).toEqual(['run.view'])
  expect(await permissionsOf('API Consumer')).toEqual([])
})

it('of a group of which a role has a part, it gets no more', async () => {
  await grant('Operator', 'alarm.view')
  await up(database.db as never)
  const gained = (await permissionsOf('Operator')).filter(isNew)
  expect(gained).toEqual(['alarm.view', 'node.view', 'reconciliation.run', 'reconciliation.view'])
})
