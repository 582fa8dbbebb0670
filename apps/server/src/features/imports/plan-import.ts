import type { EndpointDefinition, ImportPreview } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import type { Stores } from '../../stores.ts'
import type { ImportedDocument, ImportedOperation, ImportedServer } from './imported-document.ts'

/** What an endpoint has of its document. */
export type DocumentedFields = Pick<
  EndpointDefinition,
  'path' | 'summery' | 'description' | 'parameters' | 'validation'
>

interface PlanOptions {
  stores: Pick<Stores, 'apis' | 'endpoints'>
  /** Of another feature: the same path, whatever its parameters are called. */
  pathKey: (path: string) => string
  documented: (row: Row<'endpoint'>) => DocumentedFields
}

export interface PlannedApi {
  server: ImportedServer
  name: string
  api: Row<'api'> | undefined
  operations: PlannedOperation[]
}

export interface PlannedOperation {
  key: string
  operation: ImportedOperation
  endpoint: Row<'endpoint'> | undefined
  /** Of an endpoint that is there: the fields that differ. */
  changes: (keyof DocumentedFields)[]
}

export const keyOf = ({ method, path }: Pick<ImportedOperation, 'method' | 'path'>) =>
  `${method.toUpperCase()} ${path}`

/** A base URL is the same with and without a slash at its end. */
const sameUrl = (url: string | null) => (url ?? '').replace(/\/+$/, '').toLowerCase()

/** Compares a document with what is stored. `urls` are base URLs that were given, by server. */
export async function planImport(
  { stores, pathKey, documented }: PlanOptions,
  document: ImportedDocument,
  urls: ReadonlyMap<string, string> = new Map(),
): Promise<PlannedApi[]> {
  const apis = await stores.apis.listAll()
  const taken = new Set(apis.map(({ name_key }) => name_key))
  const planned: PlannedApi[] = []
  for (const server of document.servers) {
    const url = sameUrl(urls.get(server.key) || server.url)
    const api = apis.find((each) => url !== '' && sameUrl(each.api_url) === url)
    const name = api?.name ?? freeName(document, server, taken)
    taken.add(name.toLowerCase())
    const endpoints = api ? await stores.endpoints.listOfApis([api.id], endpointsMax) : []
    const byRoute = new Map(
      endpoints.map((row) => [`${row.method_type} ${row.path_key}`, row] as const),
    )
    const operations = document.operations
      .filter(({ servers }) => servers.includes(server.key))
      .map((operation) => {
        const endpoint = byRoute.get(`${operation.method} ${pathKey(operation.path)}`)
        const changes = endpoint ? changesOf(documented(endpoint), operation) : []
        return { key: keyOf(operation), operation, endpoint, changes }
      })
    if (operations.length > 0) planned.push({ server, name, api, operations })
  }
  return planned
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
function freeName(
  { title, servers }: ImportedDocument,
  server: ImportedServer,
  taken: Set<string>,
) {
  const host = URL.parse(server.url)?.host ?? server.description
  const isOnly = servers.length === 1 || server === servers[0]
  const base = isOnly ? title : `${title} ${host}`.trim().slice(0, 90)
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base.slice(0, 90)} ${number}`
    if (!taken.has(name.toLowerCase())) return name
  }
}

export const actionOf = ({ endpoint, changes }: Pick<PlannedOperation, 'endpoint' | 'changes'>) =>
  !endpoint ? 'create' : changes.length > 0 ? 'update' : 'left'

export function presentPlan(document: ImportedDocument, planned: PlannedApi[]): ImportPreview {
  const { format, version, title, notes } = document
  return {
    format,
    version,
    title,
    notes,
    apis: planned.map(({ server, name, api, operations }) => ({
      key: server.key,
      name,
      api_url: server.url,
      description: server.description,
      api: api ? { id: api.id, name: api.name } : null,
      operations: operations.map(({ key, operation, endpoint, changes }) => {
        const { method, servers: _, validation: _v, ...shown } = operation
        return {
          ...shown,
          key,
          method_type: method,
          action: actionOf({ endpoint, changes }),
          changes,
          endpoint_id: endpoint?.id ?? null,
        }
      }),
    })),
  }
}
