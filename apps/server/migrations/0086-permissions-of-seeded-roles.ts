import { sql, type Kysely } from 'kysely'

/**
 * Gives the roles that every installation starts with the permissions that have come since: for alarms,
 * reconciliation, the archive and the nodes. Only roles that a person has not changed: they have all that
 * they were seeded with, and nothing else. Of a group of which a role has a part already, it gets no more.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addPermissions(db)
  for (const [role, { had, gains }] of Object.entries(seeded)) {
    const { rows } = await sql<{ role_id: number; name: string | null }>`
      select role.id as role_id, permission.name as name from role
      left join role_permission on role_permission.role_id = role.id
      left join permission on permission.id = role_permission.permission_id
      where role.name = ${role}`.execute(db)
    const [first] = rows
    const held = rows.flatMap(({ name }) => name ?? [])
    if (!first || !isUnchanged(held, had)) continue
    const heldGroups = new Set(held.map(groupOf))
    const missing = gains.filter((name) => !heldGroups.has(groupOf(name)))
    if (missing.length === 0) continue
    await sql`insert into role_permission (role_id, permission_id)
      select cast(${first.role_id} as integer), id from permission
      where name in (${sql.join(missing)})`.execute(db)
  }
}

const groupOf = (name: string) => name.split('.')[0]

const added = [
  'reconciliation.view',
  'reconciliation.edit',
  'reconciliation.run',
  'alarm.view',
  'alarm.edit',
  'alarm.operate',
  'archive.view',
  'archive.edit',
  'archive.download',
  'node.view',
]

/** What there was before those. */
const before = [
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
  'workflow.view',
  'workflow.create',
  'workflow.edit',
  'workflow.delete',
  'workflow.run',
  'workflow.operate',
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

const ofOperator =
  /^(dashboard|request|tax|credit|run|image)\.|^(api|endpoint|context)\.view$|^workflow\.(view|run|operate)$/

const seeded: Record<string, { had: readonly string[]; gains: readonly string[] }> = {
  Admin: { had: before.filter((name) => name !== 'token.create_any'), gains: added },
  Operator: {
    had: before.filter((name) => ofOperator.test(name)),
    gains: [
      'reconciliation.view',
      'reconciliation.run',
      'alarm.view',
      'alarm.operate',
      'node.view',
    ],
  },
  Auditor: {
    had: before.filter((name) => name.endsWith('.view')),
    gains: added.filter((name) => name.endsWith('.view')),
  },
}

function isUnchanged(held: readonly string[], had: readonly string[]): boolean {
  const old = held.filter((name) => !added.includes(name))
  return old.length === had.length && had.every((name) => old.includes(name))
}

/** The catalogue is brought up to date after the migrations. A new database has neither roles nor permissions. */
async function addPermissions(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`select id from role limit 1`.execute(db)
  if (rows.length === 0) return
  for (const name of added)
    await sql`insert into permission (name) values (${name}) on conflict (name) do nothing`.execute(
      db,
    )
}
