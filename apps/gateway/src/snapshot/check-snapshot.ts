import { isTokenCredential } from '@gatehouse/contract/credential'
import {
  baseUrlProblem,
  configSnapshot,
  contextPattern,
  gatewayPaths,
  pathProblem,
  snapshotFormat,
} from '@gatehouse/contract/gateway'
import type { ConfigSnapshot, SnapshotApi } from '@gatehouse/contract/gateway'
import { bearer, headerProblem, signedIn } from '@gatehouse/upstream/http'

type SnapshotCheck =
  | { ok: true; snapshot: ConfigSnapshot }
  /** `reason` is for an administrator and holds no value of the snapshot that could be a secret. */
  | { ok: false; revision: number | null; reason: string }

/**
 * Whether a gateway can run on this. Everything that the compiler relies on is checked here: shape,
 * references, prefixes, paths, addresses. A snapshot is taken whole or not at all.
 */
export function checkSnapshot(given: unknown): SnapshotCheck {
  const { revision, format } = claims(given)
  if (format !== null && format !== snapshotFormat) {
    const reason = `It has format ${format}; this gateway reads format ${snapshotFormat}.`
    return { ok: false, revision, reason }
  }
  const parsed = configSnapshot.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const place = issue?.path.join('.') ?? ''
    return { ok: false, revision, reason: `${place || 'The snapshot'}: ${issue?.message ?? ''}` }
  }
  const reason = apiProblem(parsed.data) ?? endpointProblem(parsed.data)
  return reason === undefined
    ? { ok: true, snapshot: parsed.data }
    : { ok: false, revision, reason }
}

function claims(given: unknown): { revision: number | null; format: number | null } {
  const { revision, format } = (given ?? {}) as { revision?: unknown; format?: unknown }
  return {
    revision: typeof revision === 'number' ? revision : null,
    format: typeof format === 'number' ? format : null,
  }
}

function apiProblem({ apis }: ConfigSnapshot): string | undefined {
  const ids = new Set<number>()
  const contexts = new Set<string>()
  for (const api of apis) {
    if (ids.has(api.id)) return `API ${api.id} is in it twice.`
    if (contexts.has(api.context)) return `The context ${api.context} is in it twice.`
    ids.add(api.id)
    contexts.add(api.context)
    const isReserved = gatewayPaths.includes(api.context.split('/')[0] ?? '')
    if (!contextPattern.test(api.context) || isReserved) {
      return `The context of API ${api.id} can't be used.`
    }
    const urls = [
      api.base_url ?? undefined,
      ...(api.policy.targets?.others ?? []).map((t) => t.url),
    ]
    const problem = urls.flatMap((url) =>
      url === undefined ? [] : (baseUrlProblem(url, `base URL of API ${api.id}`) ?? []),
    )[0]
    if (problem !== undefined) return problem
    if (sentBy(api).some((each) => headerProblem(...each))) {
      return `The upstream token of API ${api.id} can't be sent in a header.`
    }
    if (headersOf(api).some((each) => headerProblem(...each))) {
      return `A static header of API ${api.id} can't be sent.`
    }
  }
  return undefined
}

/** What a static credential sends. */
function sentBy({ credential, upstream_token }: SnapshotApi) {
  const given = credential ?? bearer(upstream_token)
  return given.kind === 'none' || !isTokenCredential(given) ? signedIn(given).headers : []
}

const headersOf = ({ static_headers }: Pick<SnapshotApi, 'static_headers'>) =>
  static_headers.map(({ name, value }) => [name, value] as const)

function endpointProblem({ apis, endpoints }: ConfigSnapshot): string | undefined {
  const apiIds = new Set(apis.map((api) => api.id))
  const ids = new Set<number>()
  for (const endpoint of endpoints) {
    if (ids.has(endpoint.id)) return `Endpoint ${endpoint.id} is in it twice.`
    ids.add(endpoint.id)
    if (!apiIds.has(endpoint.api_id)) return `Endpoint ${endpoint.id} belongs to no API.`
    if (headersOf(endpoint).some((each) => headerProblem(...each)))
      return `A static header of endpoint ${endpoint.id} can't be sent.`
    const problem = pathProblem(endpoint.path)
    if (problem !== undefined) return `Endpoint ${endpoint.id}: ${problem}`
  }
  return undefined
}
