import {
  answerTimeoutDefaultMs,
  baseUrlProblem,
  connectTimeoutDefaultMs,
  contextPattern,
  noTrafficPolicy,
  reservedContexts,
  snapshotApi,
  tlsDefaults,
  trafficPolicy,
  type ApiFault,
  type SnapshotApi,
  type TrafficPolicy,
} from '@gatehouse/contract'
import { headerProblem } from '@gatehouse/upstream/http'
import type { Row } from '../db/tables.ts'
import type { SecretBox } from '../kernel/secret-box.ts'

/**
 * An API as the gateway serves it, its secrets opened. Where something of it can't be read, `fault` names it,
 * and the API keeps who may call it but holds nothing that could be called.
 */
export function toSnapshotApi(api: Row<'api'>, secrets: SecretBox): SnapshotApi {
  const isolated = withoutUpstream(api)
  if (!isContext(api.context)) return { ...isolated, fault: 'context' }
  const upstreamToken = openSecret(api, 'upstream_token_encrypted', secrets)
  if (isUnreadableToken(upstreamToken)) return { ...isolated, fault: 'upstream_token' }
  const password = openSecret(api, 'password_encrypted', secrets)
  if (password === undefined) return { ...isolated, fault: 'password' }
  const policy = readStoredPolicy(api.traffic_policy)
  if (policy === undefined) return { ...isolated, fault: 'policy' }
  const parsed = snapshotApi.safeParse({
    ...isolated,
    base_url: api.api_url,
    procedure: toProcedure(api, password),
    upstream_token: upstreamToken,
    connect_timeout_ms: api.connect_timeout_ms ?? connectTimeoutDefaultMs,
    answer_timeout_ms: api.answer_timeout_ms ?? answerTimeoutDefaultMs,
    policy,
  })
  const isUsable = parsed.success && areUrls(parsed.data)
  return isUsable ? parsed.data : { ...isolated, fault: 'definition' }
}

/** False where no path can lead to it: a worker would refuse the whole snapshot for it. */
export const isPublishable = ({ fault }: SnapshotApi): boolean => fault !== 'context'

/** The part of an API that can't be read; null: none. */
export const faultOf = (api: Row<'api'>, secrets: SecretBox): ApiFault | null =>
  toSnapshotApi(api, secrets).fault

/** Undefined: what is stored is no traffic policy. */
export function readStoredPolicy(stored: string | null): TrafficPolicy | undefined {
  if (stored === null) return noTrafficPolicy
  try {
    const given = JSON.parse(stored) as object
    return trafficPolicy.safeParse({ ...noTrafficPolicy, ...given }).data
  } catch {
    return undefined
  }
}

function withoutUpstream(api: Row<'api'>): SnapshotApi {
  return {
    id: api.id,
    name: api.name,
    context: api.context,
    is_active: api.gateway_status === 'active',
    is_internal: api.api_access === 'internally',
    requires_token: api.authentication === 1,
    base_url: null,
    procedure: null,
    upstream_token: null,
    connect_timeout_ms: connectTimeoutDefaultMs,
    answer_timeout_ms: answerTimeoutDefaultMs,
    policy: noTrafficPolicy,
    fault: null,
  }
}

function toProcedure(api: Row<'api'>, password: string | null) {
  const { driver } = api
  if (driver === null) return null
  return {
    driver,
    host: api.host ?? '',
    port: api.port ?? 0,
    database: api.database ?? '',
    username: api.username ?? '',
    password: password ?? '',
    tls: api.db_tls ?? tlsDefaults[driver],
    ca: api.db_ca,
    method: api.func_name ?? '',
  }
}

/** Null: none is stored. Undefined: it can't be opened with this key. */
function openSecret(
  api: Row<'api'>,
  field: 'password_encrypted' | 'upstream_token_encrypted',
  secrets: SecretBox,
): string | null | undefined {
  const sealed = api[field]
  if (sealed === null) return null
  try {
    return secrets.open(sealed, { table: 'api', row: api.id, field })
  } catch {
    return undefined
  }
}

const isUnreadableToken = (token: string | null | undefined): token is undefined =>
  token === undefined || headerProblem('authorization', token ?? '') !== undefined

const isContext = (context: string) =>
  contextPattern.test(context) && !reservedContexts.includes(context.split('/')[0] ?? '')

function areUrls({ base_url, policy }: SnapshotApi): boolean {
  const urls = [...(base_url === null ? [] : [base_url]), ...otherUrls(policy)]
  return urls.every((url) => baseUrlProblem(url, '') === undefined)
}

const otherUrls = ({ targets }: TrafficPolicy) => targets?.others.map(({ url }) => url) ?? []
