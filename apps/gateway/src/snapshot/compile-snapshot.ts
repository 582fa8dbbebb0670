import type { ConfigSnapshot, SnapshotApi, SnapshotEndpoint } from '@gatehouse/contract/gateway'
import { compileOutput } from '@gatehouse/contract/custom-output'
import type { CompiledOutput } from '@gatehouse/contract/custom-output'
import type { WebSocketBounds } from '@gatehouse/http1'
import type { TokenSlots } from '../sign-in/token-slots.ts'
import { ClientAuthorities } from '../callers/client-authorities.ts'
import { compileCallers, withKnownParts } from '../callers/compile-callers.ts'
import type { CompiledCallers } from '../callers/compile-callers.ts'
import { compileProcedure } from './compile-procedure.ts'
import type { CompiledProcedure } from './compile-procedure.ts'
import { compileFields, compileSignIn } from './compile-sign-in.ts'
import type { CompiledFields, CompiledSignIn } from './compile-sign-in.ts'
import { compileTransformation } from '../changes/compile-transformation.ts'
import type { CompiledTransformation } from '../changes/compile-transformation.ts'
import { compileValidation } from '../schemas/compile-validation.ts'
import type { CompiledValidation } from '../schemas/compile-validation.ts'
import type { CompiledTool } from './compiled-tool.ts'
import { ToolTable } from './tool-table.ts'
import { RouteTable } from './route-table.ts'
import type { RouteMethod } from './route-table.ts'
import type { UpstreamOrigins, UpstreamTarget } from './upstream-origins.ts'

export interface CompiledApi {
  /** Its place among the policies; that of its draft is the next one. Another API never gets them. */
  readonly index: number
  readonly config: SnapshotApi
  readonly target: UpstreamTarget | null
  readonly procedure: CompiledProcedure | null
  readonly signIn: CompiledSignIn
  /** A header in which clients show a personal token, in lower case; null: Authorization alone. */
  readonly keyHeader: string | null
  /** How long a signature counts; null: requests are not signed. */
  readonly signatureSeconds: number | null
  /** Null: no client certificate is asked for. */
  readonly authorities: ClientAuthorities | null
  /** What chosen tokens reach in its place; null: nothing. */
  readonly draft: CompiledApi | null
  /** Of a draft: the personal tokens that it serves. Null: it is no draft. */
  readonly draftTokens: ReadonlySet<number> | null
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
  /** How long its upstream may be silent. */
  readonly answerTimeoutMs: number
  /** By its own configuration or its API's; always by a draft, which is open to nobody else. */
  readonly isTokenRequired: boolean
  readonly output: CompiledOutput | null
  /** What its requests and answers are held against; null: nothing. */
  readonly validation: CompiledValidation | null
  /** What it changes in requests and answers; null: nothing. */
  readonly transformation: CompiledTransformation | null
  /** Bounds of the WebSockets it takes; null: it takes none. */
  readonly webSocket: WebSocketBounds | null
  /** Static headers and names that the client may not set; null: there are none. */
  readonly fields: CompiledFields | null
  /** The same endpoint by the draft of its API; null: there is none. */
  readonly draft: CompiledEndpoint | null
  readonly isDraft: boolean
}

/** An endpoint that agents may call as a tool. */
export type EndpointTool = CompiledTool<CompiledEndpoint>

/**
 * A snapshot as the pipeline reads it. A change puts another in its place, which shares the routes and parts:
 * those are changed in place, all at once, between two requests (`compile-changes.ts`).
 */
export interface CompiledSnapshot {
  readonly revision: number
  readonly mark: string
  readonly routes: RouteTable<CompiledEndpoint>
  readonly callers: CompiledCallers
  readonly parts: CompiledParts
}

/** What it was made of, to find what a change replaces. */
export interface CompiledParts {
  readonly apis: Map<number, CompiledApi>
  /** Ids of APIs. */
  readonly contexts: Map<string, number>
  readonly endpoints: Map<number, CompiledEndpoint>
  readonly endpointsOf: Map<number, Set<CompiledEndpoint>>
  readonly tools: ToolTable<CompiledEndpoint>
  /** The place of the next new API. */
  nextIndex: number
}

export interface CompileTools {
  origins: UpstreamOrigins
  slots: TokenSlots
}

/** An API and its draft have a policy each. */
export const indexesOfApi = 2

/** Look-up tables of a snapshot that has been checked. `current`: the callers of the one that it replaces. */
export function compileSnapshot(
  snapshot: ConfigSnapshot,
  tools: CompileTools,
  current?: CompiledCallers,
): CompiledSnapshot {
  const { revision, mark, tokens, issuers, access, super_admin_role_id } = snapshot
  const parts: CompiledParts = {
    apis: new Map(),
    contexts: new Map(),
    endpoints: new Map(),
    endpointsOf: new Map(),
    tools: new ToolTable(),
    nextIndex: snapshot.apis.length * indexesOfApi,
  }
  const routes = new RouteTable(longerPrefixFirst)
  for (const [at, api] of snapshot.apis.entries())
    addApi(parts, compileApi(api, at * indexesOfApi, tools))
  for (const endpoint of snapshot.endpoints) {
    const api = parts.apis.get(endpoint.api_id)
    if (api) addEndpoint(parts, routes, compileEndpoint(endpoint, api))
  }
  const rights = { tokens, issuers, access, super_admin_role_id }
  const callers = compileCallers(withKnownParts(rights, current), current)
  return { revision, mark, routes, callers, parts }
}

/** Where two prefixes lead to the same path, the longer one is meant. */
const longerPrefixFirst = (one: CompiledEndpoint, other: CompiledEndpoint): number =>
  other.prefixLength - one.prefixLength || one.config.id - other.config.id

export function addApi(parts: CompiledParts, api: CompiledApi): void {
  parts.apis.set(api.config.id, api)
  parts.contexts.set(api.config.context, api.config.id)
  parts.tools.addApi(api)
}

export function addEndpoint(
  { endpoints, endpointsOf, tools }: CompiledParts,
  routes: CompiledSnapshot['routes'],
  endpoint: CompiledEndpoint,
): void {
  const { id, api_id } = endpoint.config
  endpoints.set(id, endpoint)
  const ofApi = endpointsOf.get(api_id)
  if (ofApi) ofApi.add(endpoint)
  else endpointsOf.set(api_id, new Set([endpoint]))
  routes.add(endpoint)
  tools.add(endpoint)
}

export function compileApi(
  config: SnapshotApi,
  index: number,
  { origins, slots }: CompileTools,
): CompiledApi {
  const { base_url, connect_timeout_ms, tls } = config
  const { client_certificates } = config.policy
  return {
    index,
    config,
    target: base_url === null ? null : origins.target(base_url, connect_timeout_ms, tls),
    procedure: compileProcedure(config),
    signIn: compileSignIn(config, slots),
    keyHeader: config.policy.api_key?.header.toLowerCase() ?? null,
    signatureSeconds: config.policy.signature?.window_seconds ?? null,
    authorities: client_certificates && new ClientAuthorities(client_certificates.ca),
    draft: config.draft && {
      ...compileApi({ ...config.draft.api, draft: null }, index + 1, { origins, slots }),
      draftTokens: new Set(config.draft.token_ids),
    },
    draftTokens: null,
  }
}

export function compileEndpoint(config: SnapshotEndpoint, api: CompiledApi): CompiledEndpoint {
  const { context, requires_token } = api.config
  const isDraft = api.draftTokens !== null
  return {
    config,
    api,
    method: config.method,
    fullPath: `/${context}${config.path}`,
    prefixLength: context.length + 1,
    prefixSegments: context.split('/').length,
    paramNames: [...config.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''),
    answerTimeoutMs: config.answer_timeout_ms ?? api.config.answer_timeout_ms,
    isTokenRequired: requires_token || config.requires_token || isDraft,
    output: config.custom_output === null ? null : compileOutput(config.custom_output),
    validation: compileValidation(config.validation),
    transformation: compileTransformation(config.transformation),
    webSocket: compileWebSocket(config, api),
    fields: compileFields(config.static_headers, api.config.static_headers, api.signIn),
    draft: api.draft && compileEndpoint(config, api.draft),
    isDraft,
  }
}

/** What is answered without an HTTP upstream, or is changed, can't be a WebSocket. */
function compileWebSocket(
  { web_socket, method, custom_output }: SnapshotEndpoint,
  { procedure }: CompiledApi,
): WebSocketBounds | null {
  if (web_socket === null || method !== 'GET' || custom_output !== null || procedure) return null
  const { idle_seconds, life_seconds, max_message_bytes } = web_socket
  return {
    idleMs: idle_seconds * 1_000,
    lifeMs: life_seconds === null ? null : life_seconds * 1_000,
    maxMessageBytes: max_message_bytes,
  }
}
