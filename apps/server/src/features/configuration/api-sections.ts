import {
  commonFields,
  credentialFields,
  defaultRunSettings,
  endpointDefinition,
  httpFields,
  procedureFields,
  tlsFields,
  type EndpointRecord,
  type SubmittedApi,
} from '@gatehouse/contract'
import type { OwnApi } from './own-api.ts'
import { fieldsOf, joinedTexts, pick, type Section, type StoredThing } from './section.ts'
import type { SecretPlace, Value } from './values.ts'
import { secretsOfApi, withBlanks } from './secrets.ts'

/** The name is the key; the others are said by `credential`. */
const unsaid = new Set(['name', 'version', 'upstream_token', 'clear_upstream_token'])
const said = (fields: object) => Object.keys(fields).filter((name) => !unsaid.has(name))

const idOf = (answer: unknown) => (answer as { id: number }).id

async function readApis(api: OwnApi) {
  const rows = await api.list<{ id: number; submitted_data: string }>('/api/apis')
  return rows.map(({ id, submitted_data }) => ({
    id,
    submitted: JSON.parse(submitted_data) as SubmittedApi,
  }))
}

function toApi(id: number, submitted: SubmittedApi): StoredThing {
  const isHttp = submitted.api_protocol === 'http'
  const secrets: SecretPlace[] = []
  const blanks = (field: string, shown: object | null, secrecies: Record<string, string>) => {
    if (shown === null) return null
    const { value, stored } = withBlanks(shown as Value, secrecies)
    for (const keys of stored) secrets.push({ keys: [field, ...keys], isStored: true })
    return value
  }
  const credentialOf = (field: 'credential' | 'test_credential') => {
    const shown = submitted[field]
    return blanks(field, shown, shown ? credentialFields[shown.kind] : {})
  }
  const record: Value = { ...submitted, password: '' }
  if (isHttp) {
    record['credential'] = credentialOf('credential')
    record['test_credential'] = credentialOf('test_credential')
    record['tls'] = blanks('tls', submitted.tls, tlsFields)
  } else if (submitted.has_password) secrets.push({ keys: ['password'], isStored: true })
  const fields = [...said(commonFields), ...said(isHttp ? httpFields : procedureFields)]
  return { id, name: submitted.name, value: pick(record, fields), secrets }
}

export const apis: Section = {
  name: 'apis',
  isAlone: true,
  fields: said({ ...commonFields, ...httpFields, ...procedureFields }),
  read: async (api) => (await readApis(api)).map(({ id, submitted }) => toApi(id, submitted)),
  secretsOf: secretsOfApi,
  create: (value, name) => ({ method: 'POST', url: '/api/apis', body: { ...value, name } }),
  update: (id, value, name) => ({
    method: 'PUT',
    url: `/api/apis/${id}`,
    // The list of what differs has shown it.
    body: { ...value, name, confirm_register: true },
  }),
  remove: (id) => `/api/apis/${id}`,
  idIn: idOf,
}

/** The path prefixes: an API comes with one, and the screen of contexts changes it. */
export const contexts: Section = {
  name: 'contexts',
  isAlone: true,
  fields: ['context'],
  read: async (api) =>
    (await readApis(api)).map(({ id, submitted: { name, context } }) => ({
      id,
      name,
      value: { context },
      secrets: [],
    })),
  secretsOf: () => [],
  ownedBy: 'api',
  update: (id, { context }) => ({ method: 'PUT', url: `/api/context/${id}`, body: { context } }),
}

const endpointFields = fieldsOf(endpointDefinition, ['version'])

/** Settings that follow from the method are null. */
const settingsOf = (settings: EndpointRecord['run_settings']) =>
  JSON.stringify(settings) === JSON.stringify(defaultRunSettings) ? null : settings

const nameOfEndpoint = ({ api, method_type, path }: EndpointRecord) =>
  `${api.name} ${method_type.toUpperCase()} ${path}`

/** Null means the default, which a form says by leaving the field out, or by its values. */
const bodyOf = ({ run_settings, ...value }: Value, byDefault: object | undefined) => {
  const settings = run_settings ?? byDefault
  return { ...value, ...(settings === undefined ? {} : { run_settings: settings }) }
}

export const endpoints: Section = {
  name: 'endpoints',
  fields: endpointFields,
  read: async (api) => {
    const rows = await api.list<EndpointRecord>('/api/endpoint')
    return rows.map((row) => {
      const record = {
        ...row,
        enable_custom_output: row.enable_custom_output === 1,
        authentication: row.authentication === 1,
        run_settings: settingsOf(row.run_settings),
      }
      const value = pick(record, endpointFields)
      return { id: row.id, name: nameOfEndpoint(row), value, secrets: [] }
    })
  },
  secretsOf: () => [],
  nameIn: ({ api, method_type, path }) =>
    joinedTexts([api, typeof method_type === 'string' && method_type.toUpperCase(), path]),
  create: (value) => ({ method: 'POST', url: '/api/endpoint', body: bodyOf(value, undefined) }),
  update: (id, value) => ({
    method: 'PUT',
    url: `/api/endpoint/${id}`,
    body: bodyOf(value, defaultRunSettings),
  }),
  remove: (id) => `/api/endpoint/${id}`,
  idIn: idOf,
}
