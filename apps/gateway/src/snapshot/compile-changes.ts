import { replaceParts } from '@gatehouse/contract/gateway'
import type { SnapshotChanges, SnapshotEndpoint } from '@gatehouse/contract/gateway'
import { compileCallers } from '../callers/compile-callers.ts'
import type { CompiledCallers } from '../callers/compile-callers.ts'
import {
  addApi,
  addEndpoint,
  compileApi,
  compileEndpoint,
  indexesOfApi,
} from './compile-snapshot.ts'
import type {
  CompiledApi,
  CompiledEndpoint,
  CompiledSnapshot,
  CompileTools,
} from './compile-snapshot.ts'

/** What changes make of a snapshot, compiled and not yet in force. */
export interface CompiledChanges {
  readonly snapshot: CompiledSnapshot
  readonly apis: readonly CompiledApi[]
  readonly goneApis: readonly CompiledApi[]
  readonly endpoints: readonly CompiledEndpoint[]
  readonly goneEndpoints: ReadonlySet<CompiledEndpoint>
}

/** Compiles what changes and nothing else; throws where it can't. `current` stays as it is. */
export function compileChanges(
  current: CompiledSnapshot,
  changes: SnapshotChanges,
  tools: CompileTools,
): CompiledChanges {
  const { parts } = current
  let { nextIndex } = parts
  const newIndex = () => {
    nextIndex += indexesOfApi
    return nextIndex - indexesOfApi
  }
  const apis = changes.apis.map((config) =>
    compileApi(config, parts.apis.get(config.id)?.index ?? newIndex(), tools),
  )
  const changed = new Map(apis.map((api) => [api.config.id, api]))
  const { goneEndpoints, configs } = findEndpoints(current, changes)
  return {
    snapshot: {
      ...current,
      revision: changes.revision,
      mark: changes.mark,
      callers: callersOf(current, changes),
    },
    apis,
    goneApis: [...changes.removed_apis, ...changed.keys()].flatMap(
      (id) => parts.apis.get(id) ?? [],
    ),
    endpoints: configs.flatMap((config) => {
      const api = changed.get(config.api_id) ?? parts.apis.get(config.api_id)
      return api ? [compileEndpoint(config, api)] : []
    }),
    goneEndpoints,
  }
}

/** The endpoints that are taken out, and the configurations of those that come in: all of an API that changes. */
function findEndpoints({ parts }: CompiledSnapshot, changes: SnapshotChanges) {
  const { endpoints, removed_endpoints } = changes
  const ids = [...removed_endpoints, ...endpoints.map(({ id }) => id)]
  const goneEndpoints = new Set(ids.flatMap((id) => parts.endpoints.get(id) ?? []))
  const configs: SnapshotEndpoint[] = [...endpoints]
  for (const { id } of changes.apis)
    for (const endpoint of parts.endpointsOf.get(id) ?? []) {
      if (goneEndpoints.has(endpoint)) continue
      goneEndpoints.add(endpoint)
      configs.push(endpoint.config)
    }
  return { goneEndpoints, configs }
}

function callersOf({ callers }: CompiledSnapshot, changes: SnapshotChanges): CompiledCallers {
  const { tokens, issuers, access } = callers.rights
  const { removed_tokens, removed_issuers, removed_roles, super_admin_role_id } = changes
  return compileCallers(
    {
      tokens: replaceParts(tokens, (each) => each.id, changes.tokens, removed_tokens),
      issuers: replaceParts(issuers, (each) => each.id, changes.issuers, removed_issuers),
      access: replaceParts(access, (each) => each.role_id, changes.access, removed_roles),
      super_admin_role_id,
    },
    callers,
  )
}

/** Puts them into the tables that the snapshot before shares. Nothing here fails. */
export function putInForce({ snapshot, ...changes }: CompiledChanges): void {
  const { parts, routes } = snapshot
  for (const endpoint of changes.goneEndpoints) {
    const { id, api_id } = endpoint.config
    routes.remove(endpoint)
    parts.tools.remove(endpoint)
    parts.endpoints.delete(id)
    parts.endpointsOf.get(api_id)?.delete(endpoint)
  }
  for (const api of changes.goneApis) {
    const { config } = api
    parts.tools.removeApi(api)
    parts.apis.delete(config.id)
    parts.contexts.delete(config.context)
    if (parts.endpointsOf.get(config.id)?.size === 0) parts.endpointsOf.delete(config.id)
  }
  for (const api of changes.apis) {
    addApi(parts, api)
    parts.nextIndex = Math.max(parts.nextIndex, api.index + indexesOfApi)
  }
  for (const endpoint of changes.endpoints) addEndpoint(parts, routes, endpoint)
}
