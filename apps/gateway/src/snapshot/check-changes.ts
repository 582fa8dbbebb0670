import { isSameRevision, snapshotChanges } from '@gatehouse/contract/gateway'
import type { RevisionId, SnapshotChanges } from '@gatehouse/contract/gateway'
import { claims, contextTwice, issueOf, problemOfApi, problemOfEndpoint } from './check-snapshot.ts'
import type { CompiledParts } from './compile-snapshot.ts'

type ChangesCheck =
  | { ok: true; changes: SnapshotChanges }
  /** `reason` is for an administrator and holds no secret. */
  | { ok: false; revision: number | null; reason: string }

/**
 * Whether a gateway can run on what these changes make of the configuration it has: what `checkSnapshot`
 * says of a whole one, for the parts that change.
 */
export function checkChanges(
  given: unknown,
  { revision, mark, parts }: RevisionId & { parts: CompiledParts },
): ChangesCheck {
  const parsed = snapshotChanges.safeParse(given)
  const claimed = claims(given).revision
  if (!parsed.success) return { ok: false, revision: claimed, reason: issueOf(parsed.error) }
  const changes = parsed.data
  const { base } = changes
  const reason = isSameRevision(base, { revision, mark })
    ? (apiProblem(changes, parts) ?? endpointProblem(changes, parts))
    : `It changes revision ${base.revision}; this gateway runs on revision ${revision}.`
  return reason === undefined ? { ok: true, changes } : { ok: false, revision: claimed, reason }
}

function apiProblem({ apis, removed_apis }: SnapshotChanges, parts: CompiledParts) {
  const given = new Set([...removed_apis, ...apis.map(({ id }) => id)])
  if (given.size < removed_apis.length + apis.length) return 'An API is in it twice.'
  const contexts = new Set<string>()
  for (const api of apis) {
    const holder = parts.contexts.get(api.context)
    const isTaken = holder !== undefined && !given.has(holder)
    if (isTaken || contexts.has(api.context)) return contextTwice(api)
    contexts.add(api.context)
    const problem = problemOfApi(api)
    if (problem !== undefined) return problem
  }
  return undefined
}

function endpointProblem(changes: SnapshotChanges, { apis, endpointsOf }: CompiledParts) {
  const { endpoints, removed_endpoints, removed_apis } = changes
  const given = new Set([...removed_endpoints, ...endpoints.map(({ id }) => id)])
  if (given.size < removed_endpoints.length + endpoints.length) return 'An endpoint is in it twice.'
  const added = new Set(changes.apis.map(({ id }) => id))
  const gone = new Set(removed_apis)
  for (const endpoint of endpoints) {
    const { api_id } = endpoint
    const isThere = added.has(api_id) || (apis.has(api_id) && !gone.has(api_id))
    const problem = problemOfEndpoint(endpoint, isThere)
    if (problem !== undefined) return problem
  }
  for (const api of gone)
    for (const { config } of endpointsOf.get(api) ?? [])
      if (!given.has(config.id)) return problemOfEndpoint(config, false)
  return undefined
}
