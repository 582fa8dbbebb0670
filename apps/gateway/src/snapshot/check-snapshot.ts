import { isTokenCredential } from '@gatehouse/contract/credential'
import {
  baseUrlProblem,
  configSnapshot,
  contextPattern,
  gatewayPaths,
  pathProblem,
  snapshotFormat,
} from '@gatehouse/contract/gateway'
import type { ConfigSnapshot, SnapshotApi, SnapshotEndpoint } from '@gatehouse/contract/gateway'
import type { ZodError } from 'zod'
import { headerProblem, signedIn } from '@gatehouse/upstream/http'

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
  if (!parsed.success) return { ok: false, revision, reason: issueOf(parsed.error) }
  const reason = apiProblem(parsed.data) ?? endpointProblem(parsed.data)
  return reason === undefined
    ? { ok: true, snapshot: parsed.data }
    : { ok: false, revision, reason }
}

/** The first of what Zod found, without the value. */
export function issueOf({ issues: [issue] }: ZodError): string {
  const place = issue?.path.join('.') ?? ''
  return `${place || 'The snapshot'}: ${issue?.message ?? ''}`
}

export function claims(given: unknown): { revision: number | null; format: number | null } {
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
    if (contexts.has(api.context)) return contextTwice(api)
    ids.add(api.id)
    contexts.add(api.context)
    const problem = problemOfApi(api)
    if (problem !== undefined) return problem
  }
  return undefined
}

export const contextTwice = ({ context }: Pick<SnapshotApi, 'context'>) =>
  `The context ${context} is in it twice.`

/** Why an API can't be served, whatever else there is; undefined: it can. */
export function problemOfApi(api: SnapshotApi): string | undefined {
  const isReserved = gatewayPaths.includes(api.context.split('/')[0] ?? '')
  if (!contextPattern.test(api.context) || isReserved)
    return `The context of API ${api.id} can't be used.`
  const urls = [api.base_url ?? undefined, ...(api.policy.targets?.others ?? []).map((t) => t.url)]
  const problem = urls.flatMap((url) =>
    url === undefined ? [] : (baseUrlProblem(url, `base URL of API ${api.id}`) ?? []),
  )[0]
  if (problem !== undefined) return problem
  if (sentBy(api).some((each) => headerProblem(...each)))
    return `The upstream token of API ${api.id} can't be sent in a header.`
  if (headersOf(api).some((each) => headerProblem(...each)))
    return `A static header of API ${api.id} can't be sent.`
  const { draft } = api
  if (draft === null) return undefined
  const isSame = draft.api.id === api.id && draft.api.context === api.context
  return isSame
    ? problemOfApi({ ...draft.api, draft: null })
    : `The draft of API ${api.id} is of another one.`
}

/** What a static credential sends. */
function sentBy({ credential }: SnapshotApi) {
  return credential === null || isTokenCredential(credential) ? [] : signedIn(credential).headers
}

const headersOf = ({ static_headers }: Pick<SnapshotApi, 'static_headers'>) =>
  static_headers.map(({ name, value }) => [name, value] as const)

function endpointProblem({ apis, endpoints }: ConfigSnapshot): string | undefined {
  const apiIds = new Set(apis.map((api) => api.id))
  const ids = new Set<number>()
  for (const endpoint of endpoints) {
    if (ids.has(endpoint.id)) return `Endpoint ${endpoint.id} is in it twice.`
    ids.add(endpoint.id)
    const problem = problemOfEndpoint(endpoint, apiIds.has(endpoint.api_id))
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Why an endpoint can't be served; undefined: it can. */
export function problemOfEndpoint(
  endpoint: SnapshotEndpoint,
  isApiThere: boolean,
): string | undefined {
  if (!isApiThere) return `Endpoint ${endpoint.id} belongs to no API.`
  if (headersOf(endpoint).some((each) => headerProblem(...each)))
    return `A static header of endpoint ${endpoint.id} can't be sent.`
  const problem = pathProblem(endpoint.path)
  return problem === undefined ? undefined : `Endpoint ${endpoint.id}: ${problem}`
}
