/**
 * Every permission of the product, by group, in the order in which the role screens show them
 * (spec: permissions). A permission says what an administrator may do here; which
 * endpoints a role may call is a second axis, kept as access.
 */
export const permissionGroups = {
  dashboard: ['dashboard.view'],
  api: ['api.view', 'api.create', 'api.edit', 'api.delete'],
  endpoint: ['endpoint.view', 'endpoint.create', 'endpoint.edit', 'endpoint.delete'],
  context: ['context.view', 'context.edit'],
  request: ['request.view', 'request.fetch', 'request.send'],
  tax: ['tax.view', 'tax.send', 'tax.test', 'credit.view', 'credit.send'],
  run: ['run.view', 'run.resume', 'run.resolve', 'run.release'],
  workflow: [
    'workflow.view',
    'workflow.create',
    'workflow.edit',
    'workflow.delete',
    'workflow.run',
    'workflow.operate',
  ],
  reconciliation: ['reconciliation.view', 'reconciliation.edit', 'reconciliation.run'],
  alarm: ['alarm.view', 'alarm.edit', 'alarm.operate'],
  archive: ['archive.view', 'archive.edit', 'archive.download'],
  user: ['user.view', 'user.create', 'user.edit', 'user.delete'],
  role: ['role.view', 'role.create', 'role.edit', 'role.delete'],
  'api-permission': ['api-permission.view', 'api-permission.edit'],
  token: ['token.view', 'token.create', 'token.revoke', 'token.create_any'],
  log: ['log.view', 'log.download'],
  image: ['image.generate'],
  audit: ['audit.view'],
  node: ['node.view'],
} as const

export type PermissionGroup = keyof typeof permissionGroups
export type Permission = (typeof permissionGroups)[PermissionGroup][number]

export const permissions: readonly Permission[] = Object.values(permissionGroups).flat()

/** Roles that every installation starts with. Super Admin holds every permission implicitly. */
export const seedRoles = {
  'Super Admin': permissions,
  Admin: permissions.filter((name) => name !== 'token.create_any'),
  Operator: permissions.filter((name) =>
    /^(dashboard|request|tax|credit|run|image)\.|^(api|endpoint|context|node)\.view$|^workflow\.(view|run|operate)$|^alarm\.(view|operate)$|^reconciliation\.(view|run)$/.test(
      name,
    ),
  ),
  Auditor: permissions.filter((name) => name.endsWith('.view')),
  'API Consumer': [],
} as const satisfies Record<string, readonly Permission[]>

export const superAdminRole = 'Super Admin'
