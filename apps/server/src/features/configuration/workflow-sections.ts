import {
  releaseHoursDefault,
  hookInput,
  reconciliationInput,
  scheduleInput,
  workflowInput,
  type HookRecord,
  type ReconciliationRecord,
  type ScheduleRecord,
} from '@gatehouse/contract'
import { isExactObject, ownValue, parseExact, stringifyExact } from '@gatehouse/contract/mapping'
import type { OwnApi } from './own-api.ts'
import { fieldsOf, joinedTexts, pick, type Section, type StoredThing } from './section.ts'
import type { Value } from './values.ts'

const workflowFields = fieldsOf(workflowInput, ['slug', 'version'])
const exactMax = { maxBytes: 16 * 1024 * 1024, maxDepth: 64 }

/** JSON of others as text, so that its numbers stay. */
function exactText(answer: string, field: string): string | null {
  const record = parseExact(answer, exactMax)
  const value = isExactObject(record) ? (ownValue(record, field) ?? null) : null
  return value === null ? null : stringifyExact(value, 2)
}

async function readWorkflow(api: OwnApi, id: number): Promise<StoredThing> {
  const text = await api.text(`/api/workflows/${id}`)
  const record = JSON.parse(text) as Value & { slug: string; callback: { url: string } | null }
  const value = pick(
    {
      inputs_per_run: null,
      needs_release: 'nobody',
      release_hours: releaseHoursDefault,
      ...record,
      input_schema: exactText(text, 'input_schema'),
      sample_input: exactText(text, 'sample_input'),
      callback: record.callback && { url: record.callback.url, secret: '' },
    },
    workflowFields,
  )
  const secrets = record.callback ? [{ keys: ['callback', 'secret'], isStored: true }] : []
  return { id, name: record.slug, value, secrets }
}

const listWorkflows = (api: OwnApi) => api.list<{ id: number; slug: string }>('/api/workflows')

export const workflows: Section = {
  name: 'workflows',
  fields: workflowFields,
  read: async (api) => {
    const found: StoredThing[] = []
    for (const { id } of await listWorkflows(api)) found.push(await readWorkflow(api, id))
    return found
  },
  secretsOf: ({ callback }) =>
    callback ? [{ keys: ['callback', 'secret'], isStored: false }] : [],
  create: (value, slug) => ({ method: 'POST', url: '/api/workflows', body: { ...value, slug } }),
  update: (id, value, slug) => ({
    method: 'PUT',
    url: `/api/workflows/${id}`,
    body: { ...value, slug },
  }),
  remove: (id) => `/api/workflows/${id}`,
  idIn: (answer) => (answer as { id: number }).id,
}

const hookFields = [...fieldsOf(hookInput, ['name', 'new_secret']), 'workflow_id']

export const webhooks: Section = {
  name: 'webhooks',
  fields: hookFields,
  read: async (api) => {
    const found: StoredThing[] = []
    for (const { id } of await listWorkflows(api)) {
      const { hooks } = await api.get<{ hooks: HookRecord[] }>(`/api/workflows/${id}/hooks`)
      for (const hook of hooks) {
        const scheme = hook.preset === 'custom' ? hook.scheme : null
        found.push({
          id: hook.id,
          name: hook.name,
          value: pick({ ...hook, scheme, secret: '' }, hookFields),
          secrets: [{ keys: ['secret'], isStored: true }],
        })
      }
    }
    return found
  },
  secretsOf: () => [{ keys: ['secret'], isStored: false }],
  create: ({ workflow_id, ...value }, name) => ({
    method: 'POST',
    url: `/api/workflows/${Number(workflow_id)}/hooks`,
    body: { ...value, name },
  }),
  update: (id, { workflow_id: _, ...value }, name) => ({
    method: 'PUT',
    url: `/api/hooks/${id}`,
    body: { ...value, name },
  }),
  remove: (id) => `/api/hooks/${id}`,
  idIn: (answer) => (answer as { hook: { id: number } }).hook.id,
}

const scheduleFields = fieldsOf(scheduleInput, ['version'])

type Watermarked = { watermark: { path: string; type: string; value: string } | null } | null

/** Each firing moves the watermark: going back would take again what was taken. */
function keepWatermark(current: Value, wanted: Value): void {
  const before = (current['list'] as Watermarked)?.watermark
  const after = (wanted['list'] as Watermarked)?.watermark
  if (before && after?.path === before.path && after.type === before.type)
    after.value = before.value
}

export const schedules: Section = {
  name: 'schedules',
  fields: scheduleFields,
  read: async (api) =>
    (await api.list<ScheduleRecord>('/api/schedules')).map((row) => ({
      id: row.id,
      name: `${row.workflow.slug} ${row.name}`,
      value: pick({ ...row, workflow_id: row.workflow.id }, scheduleFields),
      secrets: [],
    })),
  secretsOf: () => [],
  nameIn: ({ workflow, name }) => joinedTexts([workflow, name]),
  keepState: keepWatermark,
  create: (value) => ({ method: 'POST', url: '/api/schedules', body: value }),
  update: (id, value) => ({ method: 'PUT', url: `/api/schedules/${id}`, body: value }),
  remove: (id) => `/api/schedules/${id}`,
  idIn: (answer) => (answer as { schedule: { id: number } }).schedule.id,
}

const reconciliationFields = fieldsOf(reconciliationInput, ['name', 'version'])

export const reconciliations: Section = {
  name: 'reconciliations',
  fields: reconciliationFields,
  read: async (api) =>
    (await api.list<ReconciliationRecord>('/api/reconciliations')).map((row) => ({
      id: row.id,
      name: row.name,
      value: pick(row, reconciliationFields),
      secrets: [],
    })),
  secretsOf: () => [],
  create: (value, name) => ({
    method: 'POST',
    url: '/api/reconciliations',
    body: { ...value, name },
  }),
  update: (id, value, name) => ({
    method: 'PUT',
    url: `/api/reconciliations/${id}`,
    body: { ...value, name },
  }),
  remove: (id) => `/api/reconciliations/${id}`,
  idIn: (answer) => (answer as { reconciliation: { id: number } }).reconciliation.id,
}
