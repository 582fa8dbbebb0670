import { importTargetsMax, type EndpointDefinition, type ImportAction } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import { fieldError } from '../../kernel/app-error.ts'
import type { Stores } from '../../stores.ts'
import type { ImportedDocument, ImportedOperation, ImportedServer } from './imported-document.ts'

/** What an endpoint has of its document. */
export type DocumentedFields = Pick<
  EndpointDefinition,
  'path' | 'summery' | 'description' | 'parameters' | 'validation'
>

interface PlanOptions {
  stores: Pick<Stores, 'apis' | 'endpoints' | 'access'>
  /** Of another feature: the same path, whatever its parameters are called. */
  pathKey: (path: string) => string
  documented: (row: Row<'endpoint'>) => DocumentedFields
}

/** One server of a document. */
export interface PlannedServer {
  server: ImportedServer
  url: string
  /** For a new API. */
  freeName: string
  operations: ImportedOperation[]
  /** APIs that have the base URL, the oldest first. */
  existing: PlannedExisting[]
}

export type PlannedExisting = PlannedApi & { api: Row<'api'> }

/** What comes of the operations at one API. */
export interface PlannedApi {
  /** Undefined: it is new. */
  api: Row<'api'> | undefined
  operations: PlannedOperation[]
}

export interface PlannedOperation {
  key: string
  operation: ImportedOperation
  endpoint: Row<'endpoint'> | undefined
  /** Of an endpoint that is there: the fields that differ. */
  changes: (keyof DocumentedFields)[]
  /** Roles that hold the endpoint. */
  rolesCount: number
}

export const keyOf = ({ method, path }: Pick<ImportedOperation, 'method' | 'path'>) =>
  `${method.toUpperCase()} ${path}`

/** A base URL is the same with and without a slash at its end. */
const sameUrl = (url: string | null) => (url ?? '').trim().replace(/\/+$/, '').toLowerCase()

/** Compares a document with what is stored. `urls` are base URLs that were given, by server. */
export async function planImport(
  options: PlanOptions,
  document: ImportedDocument,
  urls: ReadonlyMap<string, string> = new Map(),
): Promise<PlannedServer[]> {
  const apis = await options.stores.apis.listAll()
  const taken = new Set(apis.map(({ name_key }) => name_key))
  const planned: PlannedServer[] = []
  for (const server of document.servers) {
    const operations = document.operations.filter(({ servers }) => servers.includes(server.key))
    if (operations.length === 0) continue
    const url = urls.get(server.key) || server.url
    const freeName = nameFor(document, server, taken)
    taken.add(freeName.toLowerCase())
    const existing: PlannedExisting[] = []
    for (const api of withUrl(apis, url))
      existing.push({ api, operations: await planAt(options, api, operations) })
    planned.push({ server, url, freeName, operations, existing })
  }
  return planned
}

const withUrl = (apis: readonly Row<'api'>[], url: string) =>
  sameUrl(url) === ''
    ? []
    : apis
        .filter(({ api_url }) => sameUrl(api_url) === sameUrl(url))
        .toSorted((a, b) => a.id - b.id)
        .slice(0, importTargetsMax)

/** The operations as new endpoints of a new API. */
const planNew = ({ operations }: PlannedServer): PlannedApi => ({
  api: undefined,
  operations: operations.map((operation) => ({
    key: keyOf(operation),
    operation,
    endpoint: undefined,
    changes: [],
    rolesCount: 0,
  })),
})

async function planAt(
  { stores, pathKey, documented }: PlanOptions,
  { id }: Row<'api'>,
  operations: readonly ImportedOperation[],
): Promise<PlannedOperation[]> {
  const endpoints = await stores.endpoints.listOfApis([id], endpointsMax)
  const holders = await stores.access.countHoldersOfApi(id)
  const byRoute = new Map(
    endpoints.map((row) => [`${row.method_type} ${row.path_key}`, row] as const),
  )
  return operations.map((operation) => {
    const endpoint = byRoute.get(`${operation.method} ${pathKey(operation.path)}`)
    const changes = endpoint ? changesOf(documented(endpoint), operation) : []
    const rolesCount = endpoint ? (holders.get(endpoint.id) ?? 0) : 0
    return { key: keyOf(operation), operation, endpoint, changes, rolesCount }
  })
}

const endpointsMax = 100_000

/** What the endpoint has of the document after the import. Whether its schemas are in force stays. */
export function givenBy(
  { path, summery, description, parameters, validation }: ImportedOperation,
  stored?: DocumentedFields,
): DocumentedFields {
  const kept = stored?.validation ?? null
  const schemas = validation === null ? kept : { ...validation, mode: kept?.mode ?? 'off' }
  return { path, summery, description, parameters, validation: schemas }
}

function changesOf(stored: DocumentedFields, operation: ImportedOperation) {
  const given = givenBy(operation, stored)
  return (['path', 'summery', 'description', 'parameters', 'validation'] as const).filter(
    (field) => JSON.stringify(stored[field]) !== JSON.stringify(given[field]),
  )
}

/** The title, or the title and the server, whichever no API is called. */
function nameFor({ title, servers }: ImportedDocument, server: ImportedServer, taken: Set<string>) {
  const host = URL.parse(server.url)?.host ?? server.description
  const isOnly = servers.length === 1 || server === servers[0]
  const base = isOnly ? title : `${title} ${host}`.trim().slice(0, 90)
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base.slice(0, 90)} ${number}`
    if (!taken.has(name.toLowerCase())) return name
  }
}

export function actionOf({ endpoint, changes }: PlannedOperation): ImportAction {
  if (!endpoint) return 'create'
  return changes.length > 0 ? 'update' : 'left'
}

/** Who may call the endpoint of an operation afterwards. A new one asks for a token. */
export const callersOf = (
  { endpoint, rolesCount }: PlannedOperation,
  api: Row<'api'> | undefined,
) => ({
  is_token_required: endpoint?.authentication !== 0 || api?.authentication === 1,
  roles_count: rolesCount,
})

/** Where the operations go: see the request in the contract. */
export function planOf(
  of: PlannedServer,
  { api_id }: { api_id?: number | null | undefined },
  field: string,
) {
  const [oldest] = of.existing
  if (api_id === null || (api_id === undefined && !oldest)) return planNew(of)
  const wanted = api_id ?? oldest?.api.id
  const found = of.existing.find(({ api }) => api.id === wanted)
  if (!found) throw fieldError({ [`${field}.api_id`]: ['This API does not have the base URL.'] })
  return found
}
