import {
  answerTimeoutDefaultMs,
  baseUrlProblem,
  connectTimeoutDefaultMs,
  contextPattern,
  noTrafficPolicy,
  gatewayPaths,
  snapshotApi,
  tlsDefaults,
  type ApiFault,
  type SnapshotApi,
  type TrafficPolicy,
} from '@gatehouse/contract'
import { headerProblem } from '@gatehouse/upstream/http'
import type { Row } from '../db/tables.ts'
import { fromColumns, type SecretColumn, type StoredApi } from '../features/apis/api-columns.ts'
import type { SecretBox } from '../kernel/secret-box.ts'

/**
 * An API as the gateway serves it, its secrets opened. Where something of it can't be read, `fault` names it,
 * and the API keeps who may call it but holds nothing that could be called.
 */
export function toSnapshotApi(api: Row<'api'>, secrets: SecretBox): SnapshotApi {
  const definition = fromColumns(api)
  const isolated = withoutUpstream(api, definition)
  if (!isContext(api.context)) return { ...isolated, fault: 'context' }
  const upstreamToken = openSecret(api, 'upstream_token_encrypted', secrets)
  if (isUnreadableToken(upstreamToken)) return { ...isolated, fault: 'upstream_token' }
  const password = openSecret(api, 'password_encrypted', secrets)
  if (password === undefined) return { ...isolated, fault: 'password' }
  const policy = definition.traffic_policy
  if (policy === undefined) return { ...isolated, fault: 'policy' }
  const parsed = snapshotApi.safeParse({
    ...isolated,
    ...targetOf(definition, password ?? ''),
    upstream_token: upstreamToken,
    connect_timeout_ms: definition.connect_timeout_ms ?? connectTimeoutDefaultMs,
    answer_timeout_ms: definition.answer_timeout_ms ?? answerTimeoutDefaultMs,
    policy: policy ?? noTrafficPolicy,
  })
  const isUsable = parsed.success && areUrls(parsed.data) && !isOfTwoProtocols(api)
  return isUsable ? parsed.data : { ...isolated, fault: 'definition' }
}

/** False where no path can lead to it: a worker would refuse the whole snapshot for it. */
export const isPublishable = ({ fault }: SnapshotApi): boolean => fault !== 'context'

/** The part of an API that can't be read; null: none. */
export const faultOf = (api: Row<'api'>, secrets: SecretBox): ApiFault | null =>
  toSnapshotApi(api, secrets).fault

type FieldOf<Definition> = Definition extends unknown ? keyof Definition : never

/** What the gateway gets under another name, as a part of `procedure`, or not at all. */
type RenamedField =
  | 'gateway_status'
  | 'api_access'
  | 'authentication'
  | 'auth_type'
  | 'traffic_policy'
  | 'api_protocol'
  | 'api_url'
  | 'test_api_url'
  | keyof NonNullable<SnapshotApi['procedure']>
  | 'db_tls'
  | 'db_ca'
  | 'func_name'

/** A new field of a definition does not compile until the snapshot has it, or it is named above. */
type ServedApi =
  Exclude<FieldOf<StoredApi>, RenamedField> extends keyof SnapshotApi ? StoredApi : never

function withoutUpstream({ id, context }: Row<'api'>, definition: ServedApi): SnapshotApi {
  return {
    id,
    context,
    name: definition.name,
    is_active: definition.gateway_status === 'active',
    is_internal: definition.api_access === 'internally',
    requires_token: definition.authentication,
    base_url: null,
    procedure: null,
    upstream_token: null,
    connect_timeout_ms: connectTimeoutDefaultMs,
    answer_timeout_ms: answerTimeoutDefaultMs,
    policy: noTrafficPolicy,
    fault: null,
  }
}

function targetOf(
  definition: StoredApi,
  password: string,
): Pick<SnapshotApi, 'base_url' | 'procedure'> {
  if (definition.api_protocol === 'http') {
    return { base_url: definition.api_url || null, procedure: null }
  }
  const { driver, host, port, database, username } = definition
  const procedure = {
    driver,
    host,
    port,
    database,
    username,
    password,
    tls: definition.db_tls ?? tlsDefaults[driver],
    ca: definition.db_ca || null,
    method: definition.func_name,
  }
  return { base_url: null, procedure }
}

/** No save leaves columns of the other protocol filled: such a row was changed by hand. */
const isOfTwoProtocols = (api: Row<'api'>) =>
  (api.api_protocol === 'http' ? api.driver : api.api_url) !== null

/** Null: none is stored. Undefined: it can't be opened with this key. */
function openSecret(
  api: Row<'api'>,
  field: SecretColumn,
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

/** Contexts that were given before they were reserved are served. */
const isContext = (context: string) =>
  contextPattern.test(context) && !gatewayPaths.includes(context.split('/')[0] ?? '')

function areUrls({ base_url, policy }: SnapshotApi): boolean {
  const urls = [...(base_url === null ? [] : [base_url]), ...otherUrls(policy)]
  return urls.every((url) => baseUrlProblem(url, '') === undefined)
}

const otherUrls = ({ targets }: TrafficPolicy) => targets?.others.map(({ url }) => url) ?? []
