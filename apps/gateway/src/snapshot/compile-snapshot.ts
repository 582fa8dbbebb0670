import type { ConfigSnapshot, SnapshotApi, SnapshotEndpoint } from '@gatehouse/contract/gateway'
import { compileOutput } from '@gatehouse/contract/custom-output'
import type { CompiledOutput } from '@gatehouse/contract/custom-output'
import type { ProcedureApi } from '@gatehouse/upstream'
import type { TokenSlots } from '../sign-in/token-slots.ts'
import { compileFields, compileSignIn } from './compile-sign-in.ts'
import type { CompiledFields, CompiledSignIn } from './compile-sign-in.ts'
import { RouteTable } from './route-table.ts'
import type { RouteMethod } from './route-table.ts'
import { TokenIndex } from './token-index.ts'
import type { UpstreamOrigins, UpstreamTarget } from './upstream-origins.ts'

export interface CompiledApi {
  /** Its place in `CompiledSnapshot.apis`. */
  readonly index: number
  readonly config: SnapshotApi
  readonly target: UpstreamTarget | null
  readonly procedure: CompiledProcedure | null
  readonly signIn: CompiledSignIn
}

export interface CompiledProcedure {
  readonly api: ProcedureApi
  readonly name: string
}

/**
 * The configuration as it came, and beside it only what is computed. Zod made all configurations of one
 * kind with the same keys in the same order, so that reading them is as fast as reading a copy.
 */
export interface CompiledEndpoint {
  readonly config: SnapshotEndpoint
  readonly api: CompiledApi
  /** With `fullPath` the key of the route table. */
  readonly method: RouteMethod
  readonly fullPath: string
  /** Length of `/{context}` in `fullPath`, and its slashes. */
  readonly prefixLength: number
  readonly prefixSegments: number
  readonly paramNames: readonly string[]
  /** By its own configuration or its API's. */
  readonly isTokenRequired: boolean
  readonly output: CompiledOutput | null
  /** Static headers and names that the client may not set; null: there are none. */
  readonly fields: CompiledFields | null
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
  slots: TokenSlots,
): CompiledSnapshot {
  const apis = new Map(
    snapshot.apis.map((api, index) => [api.id, compileApi(api, index, { origins, slots })]),
  )
  const routes = new RouteTable<CompiledEndpoint>()
  const compiled = snapshot.endpoints.flatMap((endpoint) => {
    const api = apis.get(endpoint.api_id)
    return api ? [compileEndpoint(endpoint, api)] : []
  })
  // Where two prefixes lead to the same path, the longer one is meant.
  compiled.sort(
    (one, other) => other.prefixLength - one.prefixLength || one.config.id - other.config.id,
  )
  for (const endpoint of compiled) routes.add(endpoint)
  return {
    revision: snapshot.revision,
    routes,
    tokens: new TokenIndex(snapshot),
    apis: [...apis.values()],
  }
}

function compileApi(
  config: SnapshotApi,
  index: number,
  { origins, slots }: { origins: UpstreamOrigins; slots: TokenSlots },
): CompiledApi {
  const { base_url, connect_timeout_ms, tls } = config
  return {
    index,
    config,
    target: base_url === null ? null : origins.target(base_url, connect_timeout_ms, tls),
    procedure: compileProcedure(config),
    signIn: compileSignIn(config, slots),
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

function compileEndpoint(config: SnapshotEndpoint, api: CompiledApi): CompiledEndpoint {
  const { context, requires_token } = api.config
  return {
    config,
    api,
    method: config.method,
    fullPath: `/${context}${config.path}`,
    prefixLength: context.length + 1,
    prefixSegments: context.split('/').length,
    paramNames: [...config.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''),
    isTokenRequired: requires_token || config.requires_token,
    output: config.custom_output === null ? null : compileOutput(config.custom_output),
    fields: compileFields(config.static_headers, api.config.static_headers, api.signIn),
  }
}
