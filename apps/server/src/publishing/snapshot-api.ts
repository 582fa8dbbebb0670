import { createHash } from 'node:crypto'
import {
  answerTimeoutDefaultMs,
  baseUrlProblem,
  connectTimeoutDefaultMs,
  contextPattern,
  isTokenCredential,
  joinSecrets,
  noTrafficPolicy,
  gatewayPaths,
  policyUrls,
  readPurges,
  showCredential,
  snapshotApi,
  tlsDefaults,
  type ApiFault,
  type SnapshotApi,
  type StoredCredential,
} from '@gatehouse/contract'
import { headerProblem, signedIn } from '@gatehouse/upstream/http'
import type { Row } from '../db/tables.ts'
import { fromColumns, type StoredApi } from '../features/apis/api-columns.ts'
import { openCredential, openTls } from '../features/apis/api-credentials.ts'
import { draftedApi, isSameSignIn, tokensOfDraft } from '../features/apis/drafts/drafted-api.ts'
import { openPassword } from '../features/apis/api-secrets.ts'
import { readable } from '../kernel/readable.ts'
import type { SecretBox } from '../kernel/secret-box.ts'

/**
 * An API as the gateway serves it, its secrets opened. Where something of it can't be read, `fault` names it,
 * and the API keeps who may call it but holds nothing that could be called.
 */
export function toSnapshotApi(
  api: Row<'api'>,
  secrets: SecretBox,
  draft?: Row<'api_draft'>,
): SnapshotApi {
  const served = servedApi(api, secrets)
  if (!draft || served.fault === 'context') return served
  const row = draftedApi(api, draft)
  const { draft: _none, ...drafted } = servedApi(row, secrets)
  const needsToken = drafted.credential !== null && isTokenCredential(drafted.credential)
  const isShared = needsToken && served.credential !== null && isSameSignIn(secrets, api, row)
  const { draft: _no, ...isolated } = withoutUpstream(row, fromColumns(row))
  const { credential_seal } = isShared ? served : drafted
  // The API has got another sign-in since: tokens are obtained for that one alone.
  const shown =
    needsToken && !isShared
      ? { ...isolated, fault: 'credential' as const }
      : { ...drafted, credential_seal }
  return { ...served, draft: { token_ids: tokensOfDraft(draft), api: shown } }
}

function servedApi(api: Row<'api'>, secrets: SecretBox): SnapshotApi {
  const definition = fromColumns(api)
  const isolated = withoutUpstream(api, definition)
  if (!isContext(api.context)) return { ...isolated, fault: 'context' }
  const credential = readable(() => openCredential(secrets, api, 'live') ?? null)
  if (credential === undefined || !isSendable(credential)) {
    return { ...isolated, fault: api.credential === null ? 'upstream_token' : 'credential' }
  }
  const tls = readable(() => openTls(secrets, api) ?? null)
  if (tls === undefined) return { ...isolated, fault: 'tls' }
  const password = readable(() => openPassword(secrets, api))
  if (password === undefined) return { ...isolated, fault: 'password' }
  const policy = definition.traffic_policy
  if (policy === undefined) return { ...isolated, fault: 'policy' }
  const parsed = snapshotApi.safeParse({
    ...isolated,
    ...targetOf(definition, password),
    credential: credential && withoutLogin(credential),
    credential_seal: credential ? credentialSealOf(api) : '',
    static_headers: definition.api_protocol === 'http' ? (definition.static_headers ?? null) : [],
    tls,
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
  | 'tags'
  | 'document_register'

/** A new field of a definition does not compile until the snapshot has it, or it is named above. */
type ServedApi =
  Exclude<FieldOf<StoredApi>, RenamedField> extends keyof SnapshotApi ? StoredApi : never

function withoutUpstream(
  { id, context, cache_purges }: Row<'api'>,
  definition: ServedApi,
): SnapshotApi {
  return {
    id,
    context,
    name: definition.name,
    is_active: definition.gateway_status === 'active',
    is_internal: definition.api_access === 'internally',
    requires_token: definition.authentication,
    offer_to_agents: definition.offer_to_agents,
    base_url: null,
    procedure: null,
    credential: null,
    credential_seal: '',
    tls: null,
    static_headers: [],
    connect_timeout_ms: connectTimeoutDefaultMs,
    answer_timeout_ms: answerTimeoutDefaultMs,
    policy: noTrafficPolicy,
    cache_purges: readable(() => readPurges(cache_purges)) ?? [],
    fault: null,
    draft: null,
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

/** The gateway never signs in: it gets the token, and needs only what says how that is sent. */
const withoutLogin = (credential: StoredCredential) =>
  isTokenCredential(credential) ? joinSecrets(showCredential(credential), {}) : credential

/** Tells nothing of the secrets: their encryption is another one each time. */
export const credentialSealOf = ({ upstream_token_encrypted: sealed }: Row<'api'>) =>
  createHash('sha256')
    .update(sealed ?? '')
    .digest('base64url')

/** False where a header would be refused when it is sent. */
function isSendable(credential: StoredCredential | null): boolean {
  if (credential === null || isTokenCredential(credential)) return true
  return signedIn(credential).headers.every(([name, value]) => !headerProblem(name, value))
}

const isContext = (context: string) =>
  contextPattern.test(context) && !gatewayPaths.includes(context.split('/')[0] ?? '')

function areUrls({ base_url, policy }: SnapshotApi): boolean {
  const urls = [...(base_url === null ? [] : [base_url]), ...policyUrls(policy)]
  return urls.every((url) => baseUrlProblem(url, '') === undefined)
}
