import { sql, type Kysely } from 'kysely'

/**
 * Gives roles that are as a version before 0.1.0 seeded them the permissions that 0.1.0 gives them: for workflows,
 * reconciliation, alarms, the archive and the nodes. A role that a person has changed stays as it is.
 */
export async function grantOfEarlierSeeds(db: Kysely<unknown>): Promise<void> {
  const catalogue = await readCatalogue(db)
  if (!(await hasRoles(db))) return
  const birth = versions.find(({ permissions }) => isBeginningOf(catalogue, permissions))
  await addPermissions(db)
  for (const [name, grants] of Object.entries(grantsOf)) {
    const role = await readRole(db, name)
    const all = permissionsOfAdoption.filter(grants)
    if (!role || role.held.length === all.length) continue
    // No save has changed it, or it holds what this installation began with.
    const seeded = versions.filter((version) => role.version === 1 || version === birth)
    if (!seeded.some(({ permissions }) => isSame(role.held, permissions.filter(grants)))) continue
    const missing = all.filter((permission) => !role.held.includes(permission))
    await sql`insert into role_permission (role_id, permission_id)
      select cast(${role.id} as integer), id from permission
      where name in (${sql.join(missing)})`.execute(db)
  }
}

/** The permissions of the first version, in the order in which it stored them. */
const first = [
  'dashboard.view',
  'api.view',
  'api.create',
  'api.edit',
  'api.delete',
  'endpoint.view',
  'endpoint.create',
  'endpoint.edit',
  'endpoint.delete',
  'context.view',
  'context.edit',
  'request.view',
  'request.fetch',
  'request.send',
  'tax.view',
  'tax.send',
  'tax.test',
  'credit.view',
  'credit.send',
  'run.view',
  'run.resume',
  'run.resolve',
  'user.view',
  'user.create',
  'user.edit',
  'user.delete',
  'role.view',
  'role.create',
  'role.edit',
  'role.delete',
  'api-permission.view',
  'api-permission.edit',
  'token.view',
  'token.create',
  'token.revoke',
  'token.create_any',
  'log.view',
  'log.download',
  'image.generate',
  'audit.view',
]

/** What each later version added. */
const added = [
  [
    'workflow.view',
    'workflow.create',
    'workflow.edit',
    'workflow.delete',
    'workflow.run',
    'workflow.operate',
  ],
  ['alarm.view', 'alarm.edit', 'alarm.operate'],
  ['archive.view', 'archive.edit', 'archive.download'],
  ['node.view'],
  ['reconciliation.view', 'reconciliation.edit', 'reconciliation.run'],
]

const versions = [first, ...added].map((_, index) => ({
  permissions: [...first, ...added.slice(0, index).flat()],
}))
/** What 0.1.0 knows. */
export const permissionsOfAdoption: readonly string[] = versions.at(-1)!.permissions

/** Which of its permissions each version gave a role: the rules have grown with the permissions, and for those alone. */
const grantsOf: Record<string, (permission: string) => boolean> = {
  'Super Admin': () => true,
  Admin: (permission) => permission !== 'token.create_any',
  Operator: (permission) =>
    /^(dashboard|request|tax|credit|run|image)\.|^(api|endpoint|context|node)\.view$|^workflow\.(view|run|operate)$|^alarm\.(view|operate)$|^reconciliation\.(view|run)$/.test(
      permission,
    ),
  Auditor: (permission) => permission.endsWith('.view'),
}

async function hasRoles(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql`select id from role limit 1`.execute(db)
  return rows.length > 0
}

/** In the order in which they came. */
async function readCatalogue(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from permission order by id`.execute(db)
  return rows.map(({ name }) => name)
}

/** A version stored its permissions before those of the versions that came after it. */
const isBeginningOf = (catalogue: readonly string[], permissions: readonly string[]) =>
  isSame(catalogue.slice(0, permissions.length), permissions)

const isSame = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && others.every((each) => some.includes(each))

/** The catalogue is brought up to date after the migrations. */
async function addPermissions(db: Kysely<unknown>): Promise<void> {
  for (const name of permissionsOfAdoption)
    await sql`insert into permission (name) values (${name}) on conflict (name) do nothing`.execute(
      db,
    )
}

async function readRole(db: Kysely<unknown>, name: string) {
  const { rows } = await sql<{ id: number; version: number; permission: string | null }>`
    select role.id as id, role.version as version, permission.name as permission from role
    left join role_permission on role_permission.role_id = role.id
    left join permission on permission.id = role_permission.permission_id
    where role.name = ${name}`.execute(db)
  const [role] = rows
  return role && { ...role, held: rows.flatMap(({ permission }) => permission ?? []) }
}
