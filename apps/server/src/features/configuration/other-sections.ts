import {
  alarmChannelInput,
  alarmRuleInput,
  roleDefinition,
  saveArchiveSettings,
  superAdminRole,
  type AlarmChannelRecord,
  type AlarmRuleRecord,
  type ArchiveSettings,
  type RoleEditForm,
} from '@gatehouse/contract'
import type { OwnApi } from './own-api.ts'
import { fieldsOf, pick, type Section, type StoredThing } from './section.ts'

const channelFields = fieldsOf(alarmChannelInput, ['name', 'version'])

export const alarmChannels: Section = {
  name: 'alarm_channels',
  fields: channelFields,
  read: async (api) =>
    (await api.list<AlarmChannelRecord>('/api/alarm-channels')).map((row) => ({
      id: row.id,
      name: row.name,
      value: pick({ ...row, secret: '' }, channelFields),
      secrets: row.has_secret ? [{ keys: ['secret'], isStored: true }] : [],
    })),
  secretsOf: () => [{ keys: ['secret'], isStored: false }],
  create: (value, name) => ({
    method: 'POST',
    url: '/api/alarm-channels',
    body: { ...value, name },
  }),
  update: (id, value, name) => ({
    method: 'PUT',
    url: `/api/alarm-channels/${id}`,
    body: { ...value, name },
  }),
  remove: (id) => `/api/alarm-channels/${id}`,
  idIn: (answer) => (answer as { channel: { id: number } }).channel.id,
}

const ruleFields = fieldsOf(alarmRuleInput, ['name', 'version'])

export const alarmRules: Section = {
  name: 'alarm_rules',
  fields: ruleFields,
  read: async (api) =>
    (await api.list<AlarmRuleRecord>('/api/alarm-rules')).map((row) => ({
      id: row.id,
      name: row.name,
      value: pick(row, ruleFields),
      secrets: [],
    })),
  secretsOf: () => [],
  create: (value, name) => ({ method: 'POST', url: '/api/alarm-rules', body: { ...value, name } }),
  update: (id, value, name) => ({
    method: 'PUT',
    url: `/api/alarm-rules/${id}`,
    body: { ...value, name },
  }),
  remove: (id) => `/api/alarm-rules/${id}`,
  idIn: (answer) => (answer as { rule: { id: number } }).rule.id,
}

const archiveFields = fieldsOf(saveArchiveSettings.body)

/** There is one, and it is always there. */
export const archive: Section = {
  name: 'archive',
  fields: archiveFields,
  read: async (api) => {
    const { settings } = await api.get<{ settings: ArchiveSettings }>('/api/archive')
    return [{ id: 1, name: 'settings', value: pick(settings, archiveFields), secrets: [] }]
  },
  secretsOf: () => [],
  update: (_, value) => ({ method: 'PUT', url: '/api/archive/settings', body: value }),
}

/** Super Admin holds everything and can't be changed. */
async function listRoles(api: OwnApi) {
  const rows = await api.list<{ id: number; name: string }>('/api/role')
  return rows.filter(({ name }) => name !== superAdminRole)
}

const roleFields = fieldsOf(roleDefinition, ['name', 'version'])

export const roles: Section = {
  name: 'roles',
  fields: roleFields,
  read: async (api) => {
    const found: StoredThing[] = []
    for (const { id, name } of await listRoles(api)) {
      const { rolePermissions, role } = await api.get<RoleEditForm>(`/api/role/${id}/edit`)
      const { needs_second_factor, allowed_addresses } = role
      const permissions = rolePermissions.toSorted()
      const value = { permissions, needs_second_factor, allowed_addresses }
      found.push({ id, name, value: pick(value, roleFields), secrets: [] })
    }
    return found
  },
  secretsOf: () => [],
  create: (value, name) => ({ method: 'POST', url: '/api/role', body: { ...value, name } }),
  update: (id, value, name) => ({
    method: 'PUT',
    url: `/api/role/${id}`,
    body: { ...value, name },
  }),
  remove: (id) => `/api/role/${id}`,
  idIn: (answer) => (answer as { id: number }).id,
}

interface AccessForm {
  selected: { id: number }[]
  selected_workflows: { id: number }[]
}

/** Which endpoints and workflows a role may call. It goes with its role. */
export const access: Section = {
  name: 'access',
  fields: ['endpoint_ids', 'workflow_ids'],
  read: async (api) => {
    const found: StoredThing[] = []
    for (const { id, name } of await listRoles(api)) {
      const form = await api.get<AccessForm>(`/api/api-permission/${id}/edit?endpoints=selected`)
      const endpoint_ids = form.selected.map((each) => each.id)
      const workflow_ids = form.selected_workflows.map((each) => each.id)
      found.push({ id, name, value: { endpoint_ids, workflow_ids }, secrets: [] })
    }
    return found
  },
  secretsOf: () => [],
  ownedBy: 'role',
  update: (id, { endpoint_ids, workflow_ids }) => ({
    method: 'PUT',
    url: `/api/api-permission/${id}/update`,
    body: { endpoints: endpoint_ids, workflows: workflow_ids },
  }),
}
