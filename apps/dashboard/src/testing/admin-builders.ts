import type {
  AccessEndpoint,
  AccessRow,
  AccessWorkflow,
  AuditEvent,
  CallOutput,
  RoleEditForm,
  Routes,
  TokenRecord,
  UserRecord,
} from '@gatehouse/contract'
import { permissionGroups, permissions } from '@gatehouse/contract/permissions'

/** Records of the administration that satisfy the contract; a test names only what it is about. */
export function buildUserRecord(changes: Partial<UserRecord> = {}): UserRecord {
  return {
    id: 7,
    name: 'Otto Operator',
    email: 'otto@example.com',
    username: 'otto',
    roles: [{ id: 3, name: 'Operator' }],
    role: 'Operator',
    can_sign_in: true,
    version: 2,
    ...changes,
  }
}

export function buildRoleForm(changes: Partial<RoleEditForm> = {}): RoleEditForm {
  const groups = Object.entries(permissionGroups)
  const groupOf = (name: string) =>
    groups.find(([, members]) => (members as readonly string[]).includes(name))?.[0] ?? 'other'
  return {
    role: {
      id: 3,
      name: 'Operator',
      users_count: 2,
      needs_second_factor: false,
      allowed_addresses: [],
      version: 5,
    },
    locked: null,
    may_require_second_factor: true,
    allPermissions: permissions.map((name, index) => ({
      id: index + 1,
      name,
      group_name: groupOf(name),
    })),
    groups: groups.map(([name]) => ({ name })),
    rolePermissions: ['dashboard.view', 'api.view'],
    grantable: [...permissions],
    ...changes,
  }
}

export function buildAccessEndpoint(id: number): AccessEndpoint {
  return {
    id,
    description: `Endpoint ${id}`,
    summery: `Summary ${id}`,
    method_type: 'get',
    path: `/things/${id}`,
    api: 'Orders',
    api_id: 5,
  }
}

export function buildAccessWorkflow(
  id: number,
  changes: Partial<AccessWorkflow> = {},
): AccessWorkflow {
  return {
    id,
    slug: `workflow-${id}`,
    name: `Workflow ${id}`,
    kind: 'tax',
    status: 'active',
    ...changes,
  }
}

type AccessForm = CallOutput<Routes['GET /api/api-permission/:id/edit']>

type AccessChoices = CallOutput<Routes['GET /api/api-permission/:id/endpoints']>
type AccessApis = CallOutput<Routes['GET /api/api-permission/:id/apis']>

/** Three endpoints of one API, the first of which the role has. */
export function buildAccessChoices(changes: Partial<AccessChoices> = {}): AccessChoices {
  return {
    endpoints: [1, 2, 3].map((id) => ({ ...buildAccessEndpoint(id), is_held: id === 1 })),
    total: 3,
    apis: [{ id: 5, name: 'Orders', endpoints_count: 3, held_count: 1 }],
    ...changes,
  }
}

/** The one API of `buildAccessChoices`. */
export function buildAccessApis(changes: Partial<AccessApis> = {}): AccessApis {
  const apis = buildAccessChoices().apis.map((api) => ({ ...api, found_count: 3 }))
  return { apis, endpoints_count: 3, ...changes }
}

/** The form of a role's access: endpoint 1 of three, and no workflow exists. */
export function buildAccessForm(changes: Partial<AccessForm> = {}): AccessForm {
  return {
    role: { id: 3, name: 'Operator' },
    endpoints: [],
    selected: [buildAccessEndpoint(1)],
    selected_count: 1,
    workflows: [],
    selected_workflows: [],
    version: 7,
    locked: null,
    ...changes,
  }
}

export function buildAccessRow(changes: Partial<AccessRow> = {}): AccessRow {
  return {
    id: 3,
    user_id: 7,
    name: 'Otto Operator',
    email: 'otto@example.com',
    role: 'Operator',
    endpoints_count: 2,
    workflows_count: 0,
    ...changes,
  }
}

export function buildToken(changes: Partial<TokenRecord> = {}): TokenRecord {
  return {
    id: 1,
    name: 'ERP client',
    user: { id: 4, name: 'Gateway client' },
    created_by: 'Ada Admin',
    ending: 'cvsa',
    created_at: '2026-01-01T10:00:00.000Z',
    expires_at: '2027-01-01T10:00:00.000Z',
    last_used_at: null,
    revoked_at: null,
    state: 'active',
    is_limited: false,
    ...changes,
  }
}

export function buildAuditEvent(changes: Partial<AuditEvent> = {}): AuditEvent {
  return {
    id: 34,
    at: '2026-01-31T10:00:00.000Z',
    actor_id: 1,
    actor: 'Ada Admin',
    address: '192.0.2.7',
    request_id: 'df8d84c1-dd35-4f9e-bf81-63b7a291ff11',
    action: 'role.update',
    outcome: 'done',
    thing: 'role',
    thing_id: 3,
    thing_name: 'Operator',
    times: 1,
    before: { name: 'Operator', permissions: ['api.view', 'api.edit'] },
    after: { name: 'Operator', permissions: ['api.view'] },
    can_restore: true,
    ...changes,
  }
}
