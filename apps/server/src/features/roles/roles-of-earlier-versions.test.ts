import { permissions, seedRoles } from '@gatehouse/contract'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { up as ofOneVersion } from '../../../migrations/0086-permissions-of-seeded-roles.ts'
import { up as ofAll } from '../../../migrations/0155-permissions-of-earlier-seeds.ts'
import { createEmptyPostgres, createTestDatabase } from '../../../test/test-database.ts'
import { connect, type Db } from '../../db/connect.ts'
import { migrate } from '../../db/migrate.ts'
import { seed } from '../../db/seed.ts'

// Databases as each earlier version has made them: its migrations, its permissions and its roles.

/** What a version did not know yet, and its last migration. */
const versions: Record<string, [RegExp, string]> = {
  'with runs': [/^(workflow|alarm|archive|node|reconciliation)\./, '0014-procedure-contracts'],
  'with workflows': [/^(alarm|archive|node|reconciliation)\./, '0043-sign-in-token'],
  'with alarms': [/^(archive|node|reconciliation)\./, '0077-revision-mark'],
  'with the archive': [/^(node|reconciliation)\./, '0078-nodes'],
  'with nodes': [/^reconciliation\./, '0078-nodes'],
  'with reconciliations': [/^$/, '0078-nodes'],
}
const roles = ['Super Admin', 'Admin', 'Operator', 'Auditor', 'API Consumer'] as const

async function openAt(version: string): Promise<Db> {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  await sql`delete from role_permission`.execute(db)
  await sql`delete from permission`.execute(db)
  await addRoles(db, version)
  return db
}

/** A new database that such a version has made, with nothing that came later. */
async function openWhole(version: string): Promise<Db> {
  const postgres = await createEmptyPostgres()
  const db = connect(postgres ? { kind: 'postgres', url: postgres.url } : { kind: 'memory' })
  onTestFinished(async () => {
    await db.destroy()
    await postgres?.drop()
  })
  await migrate(db, versions[version]![1])
  for (const name of roles)
    await sql`insert into role (name, name_key) values (${name}, ${name.toLowerCase()})`.execute(db)
  await addRoles(db, version)
  return db
}

async function addRoles(db: Db, version: string): Promise<void> {
  const known = permissions.filter((name) => !versions[version]![0].test(name))
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

/** The migrations that have to do with it. */
async function upgrade(db: Db): Promise<void> {
  for (const up of [ofOneVersion, ofAll]) await up(db as never)
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
    expect(await permissionsOf(db, role), role).toEqual(seedRoles[role].toSorted())
}

it('a database of the first version has the roles of a new installation after its upgrade', async () => {
  const db = await openWhole('with runs')
  expect(await permissionsOf(db, 'Admin')).toHaveLength(39)
  await migrate(db)
  await seed(db, new Date())
  await expectAll(db)
})

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
  const before = permissions.filter((name) => !versions['with runs']![0].test(name))
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
