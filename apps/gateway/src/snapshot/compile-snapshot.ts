import type { ConfigSnapshot, SnapshotApi, SnapshotEndpoint } from '@gatehouse/contract/gateway'
import { compileOutput } from '@gatehouse/contract/custom-output'
import type { CompiledOutput } from '@gatehouse/contract/custom-output'
import type { ProcedureApi } from '@gatehouse/upstream'
import { RouteTable } from './route-table.ts'
import type { RouteMethod } from './route-table.ts'
import { TokenIndex } from './token-index.ts'
import type { UpstreamOrigins, UpstreamTarget } from './upstream-origins.ts'

export interface CompiledApi {
  /** Its place in `CompiledSnapshot.apis`. */
  readonly index: number
  readonly id: number
  readonly name: string
  readonly isActive: boolean
  readonly isInternal: boolean
  /** The control plane could not read all of it: there is nothing that could be called. */
  readonly isUnreadable: boolean
  readonly target: UpstreamTarget | null
  readonly procedure: CompiledProcedure | null
  /** `Bearer …`, or null. */
  readonly upstreamAuthorization: string | null
  readonly connectTimeoutMs: number
  readonly answerTimeoutMs: number
}

export interface CompiledProcedure {
  readonly api: ProcedureApi
  readonly name: string
}

export interface CompiledEndpoint {
  readonly id: number
  readonly api: CompiledApi
  readonly method: RouteMethod
  readonly fullPath: string
  /** Length of `/{context}` in `fullPath`, and its slashes. */
  readonly prefixLength: number
  readonly prefixSegments: number
  readonly paramNames: readonly string[]
  readonly isActive: boolean
  readonly isTokenRequired: boolean
  readonly isReadOnly: boolean
  /** False: it may do harm twice, whatever its method. */
  readonly isRepeatable: boolean
  readonly output: CompiledOutput | null
}

/** A snapshot as the pipeline reads it. Nothing in it ever changes but what its caches remember. */
export interface CompiledSnapshot {
  readonly revision: number
  readonly routes: RouteTable<CompiledEndpoint>
  readonly tokens: TokenIndex
  readonly apis: readonly CompiledApi[]
}

/** Look-up tables of a snapshot that has been checked. */
export function compileSnapshot(
  snapshot: ConfigSnapshot,
  origins: UpstreamOrigins,
): CompiledSnapshot {
  const sources = new Map(snapshot.apis.map((api) => [api.id, api]))
  const apis = new Map(snapshot.apis.map((api, index) => [api.id, compileApi(api, index, origins)]))
  const routes = new RouteTable<CompiledEndpoint>()
  const compiled = snapshot.endpoints.flatMap((endpoint) => {
    const source = sources.get(endpoint.api_id)
    const api = apis.get(endpoint.api_id)
    return source && api ? [compileEndpoint(endpoint, source, api)] : []
  })
  // Where two prefixes lead to the same path, the longer one is meant.
  compiled.sort((one, other) => other.prefixLength - one.prefixLength || one.id - other.id)
  for (const endpoint of compiled) routes.add(endpoint)
  return {
    revision: snapshot.revision,
    routes,
    tokens: new TokenIndex(snapshot),
    apis: [...apis.values()],
  }
}

function compileApi(api: SnapshotApi, index: number, origins: UpstreamOrigins): CompiledApi {
  return {
    index,
    id: api.id,
    name: api.name,
    isActive: api.is_active,
    isInternal: api.is_internal,
    isUnreadable: api.fault !== null,
    target: api.base_url === null ? null : origins.target(api.base_url, api.connect_timeout_ms),
    procedure: compileProcedure(api),
    upstreamAuthorization: api.upstream_token === null ? null : `Bearer ${api.upstream_token}`,
    connectTimeoutMs: api.connect_timeout_ms,
    answerTimeoutMs: api.answer_timeout_ms,
  }
}

function compileProcedure(api: SnapshotApi): CompiledProcedure | null {
  if (api.procedure === null) return null
  const { method, ca, ...connection } = api.procedure
  return {
    name: method,
    api: {
      id: String(api.id),
      connection: {
        ...connection,
        ...(ca === null ? {} : { ca }),
        connectTimeoutMs: api.connect_timeout_ms,
      },
    },
  }
}

function compileEndpoint(
  endpoint: SnapshotEndpoint,
  source: SnapshotApi,
  api: CompiledApi,
): CompiledEndpoint {
  return {
    id: endpoint.id,
    api,
    method: endpoint.method,
    fullPath: `/${source.context}${endpoint.path}`,
    prefixLength: source.context.length + 1,
    prefixSegments: source.context.split('/').length,
    paramNames: [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''),
    isActive: endpoint.is_active,
    isTokenRequired: source.requires_token || endpoint.requires_token,
    isReadOnly: endpoint.is_read_only,
    isRepeatable: endpoint.is_repeatable,
    output: endpoint.custom_output === null ? null : compileOutput(endpoint.custom_output),
  }
}
