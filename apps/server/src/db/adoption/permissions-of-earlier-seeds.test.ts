import { permissions, seedRoles } from '@gatehouse/contract'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../../test/test-database.ts'
import type { Db } from '../connect.ts'
import { seed } from '../seed.ts'
import { grantOfEarlierSeeds, permissionsOfAdoption } from './permissions-of-earlier-seeds.ts'

// Databases as each version before 0.1.0 has made them: its permissions and its roles.

/** What a version did not know yet. */
const versions: Record<string, RegExp> = {
  'with runs': /^(workflow|alarm|archive|node|reconciliation)\./,
  'with workflows': /^(alarm|archive|node|reconciliation)\./,
  'with alarms': /^(archive|node|reconciliation)\./,
  'with the archive': /^(node|reconciliation)\./,
  'with nodes': /^reconciliation\./,
  'with reconciliations': /^$/,
}
const roles = ['Super Admin', 'Admin', 'Operator', 'Auditor', 'API Consumer'] as const

/** What 0.1.0 knows; later permissions come with migrations of their own. */
const ofAdoption = permissions.filter((name) => permissionsOfAdoption.includes(name))

async function openAt(version: string): Promise<Db> {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  await sql`delete from role_permission`.execute(db)
  await sql`delete from permission`.execute(db)
  await addRoles(db, version)
  return db
}

async function addRoles(db: Db, version: string): Promise<void> {
  const known = ofAdoption.filter((name) => !versions[version]!.test(name))
  await db
    .insertInto('permission')
    .values(known.map((name) => ({ name })))
    .execute()
  for (const name of roles) await setPermissions(db, name, known)
}

/** Those that are known of what a new installation of today gives the role. */
async function setPermissions(db: Db, role: (typeof roles)[number], known: readonly string[]) {
  await sql`delete from role_permission
    where role_id = (select id from role where name = ${role})`.execute(db)
  const names = seedRoles[role].filter((name) => known.includes(name))
  if (names.length > 0)
    await sql`insert into role_permission (role_id, permission_id)
      select role.id, permission.id from role, permission
      where role.name = ${role} and permission.name in (${sql.join(names)})`.execute(db)
}

async function upgrade(db: Db): Promise<void> {
  await grantOfEarlierSeeds(db as never)
  await seed(db, new Date())
}

async function permissionsOf(db: Db, role: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select permission.name as name from permission
    join role_permission on permission_id = permission.id
    join role on role.id = role_id where role.name = ${role}`.execute(db)
  return rows.map(({ name }) => name).toSorted()
}

async function expectAll(db: Db): Promise<void> {
  for (const role of roles)
    expect(await permissionsOf(db, role), role).toEqual(
      seedRoles[role].filter((name) => permissionsOfAdoption.includes(name)).toSorted(),
    )
}

it.each(Object.keys(versions))('roles of a version %s become those of today', async (version) => {
  const db = await openAt(version)
  await upgrade(db)
  await expectAll(db)
  await upgrade(db)
  await expectAll(db)
})

it('a role that a person has changed stays as it is', async () => {
  const db = await openAt('with runs')
  const first = await permissionsOf(db, 'Admin')
  await sql`delete from role_permission where role_id = (select id from role where name = 'Operator')
    and permission_id = (select id from permission where name = 'run.resolve')`.execute(db)
  await sql`insert into role_permission (role_id, permission_id) select role.id, permission.id
    from role, permission where role.name = 'Auditor' and permission.name = 'api.edit'`.execute(db)
  const [operator, auditor] = [
    await permissionsOf(db, 'Operator'),
    await permissionsOf(db, 'Auditor'),
  ]
  await upgrade(db)
  expect(first).toHaveLength(39)
  expect(await permissionsOf(db, 'Admin')).toHaveLength(55)
  expect(await permissionsOf(db, 'Operator')).toEqual(operator)
  expect(await permissionsOf(db, 'Auditor')).toEqual(auditor)
})

it('a role that was reduced to what an earlier version gave it does not get it back', async () => {
  const db = await openAt('with reconciliations')
  const before = ofAdoption.filter((name) => !versions['with runs']!.test(name))
  await setPermissions(db, 'Admin', before)
  await sql`update role set version = 2 where name = 'Admin'`.execute(db)
  await upgrade(db)
  expect(await permissionsOf(db, 'Admin')).toHaveLength(39)
})

it('a role that a save left as the first version seeded it gets what is new', async () => {
  const db = await openAt('with runs')
  await sql`update role set version = 2 where name = 'Admin'`.execute(db)
  await upgrade(db)
  expect(await permissionsOf(db, 'Admin')).toHaveLength(55)
})
