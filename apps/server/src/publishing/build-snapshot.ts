import {
  answerTimeoutDefaultMs,
  connectTimeoutDefaultMs,
  noTrafficPolicy,
  snapshotFormat,
  superAdminRole,
  tlsDefaults,
  type ConfigSnapshot,
  type SnapshotApi,
  type SnapshotEndpoint,
  type TrafficPolicy,
} from '@gatehouse/contract'
import type { Db } from '../db/connect.ts'
import { readAtOneMoment } from '../db/dialect.ts'
import type { Row } from '../db/tables.ts'
import type { SecretBox } from '../kernel/secret-box.ts'

/**
 * The configuration of this moment, whole, with its secrets opened. Throws when a secret can't be opened
 * or a stored part can't be read: better no snapshot than one without a credential.
 */
export function buildSnapshot(db: Db, secrets: SecretBox, now: Date): Promise<ConfigSnapshot> {
  return readAtOneMoment(db, async (transaction) => {
    const rows = await readRows(transaction, now.toISOString())
    return {
      format: snapshotFormat,
      revision: rows.revision,
      built_at: now.toISOString(),
      apis: rows.apis.map((api) => toSnapshotApi(api, secrets)),
      endpoints: rows.endpoints.map(toSnapshotEndpoint),
      tokens: toTokens(rows.tokens, rows.memberships),
      access: toAccess(rows.grants),
      super_admin_role_id: rows.superAdminRoleId,
    }
  })
}

async function readRows(db: Db, now: string) {
  const { revision } = await db
    .selectFrom('config_revision')
    .select('revision')
    .executeTakeFirstOrThrow()
  const superAdmin = await db
    .selectFrom('role')
    .select('id')
    .where('name', '=', superAdminRole)
    .executeTakeFirst()
  return {
    revision,
    superAdminRoleId: superAdmin?.id ?? null,
    apis: await db.selectFrom('api').selectAll().orderBy('id').execute(),
    endpoints: await db
      .selectFrom('endpoint')
      .select([
        'id',
        'api_id',
        'summary',
        'method_type',
        'path',
        'status',
        'authentication',
        'custom_output',
        'run_settings',
      ])
      .orderBy('id')
      .execute(),
    tokens: await db
      .selectFrom('personal_token')
      .select(['id', 'token_hash', 'user_id', 'expires_at'])
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
      .orderBy('id')
      .execute(),
    memberships: await db.selectFrom('user_role').selectAll().orderBy('role_id').execute(),
    grants: await db
      .selectFrom('role_endpoint')
      .selectAll()
      .orderBy('role_id')
      .orderBy('endpoint_id')
      .execute(),
  }
}

type Rows = Awaited<ReturnType<typeof readRows>>

function toSnapshotApi(api: Row<'api'>, secrets: SecretBox): SnapshotApi {
  const open = (field: 'password_encrypted' | 'upstream_token_encrypted') => {
    const sealed = api[field]
    return sealed === null ? null : secrets.open(sealed, { table: 'api', row: api.id, field })
  }
  const { driver } = api
  return {
    id: api.id,
    name: api.name,
    context: api.context,
    is_active: api.gateway_status === 'active',
    is_internal: api.api_access === 'internally',
    requires_token: api.authentication === 1,
    base_url: api.api_url,
    procedure:
      driver === null
        ? null
        : {
            driver,
            host: api.host ?? '',
            port: api.port ?? 0,
            database: api.database ?? '',
            username: api.username ?? '',
            password: open('password_encrypted') ?? '',
            tls: api.db_tls ?? tlsDefaults[driver],
            ca: api.db_ca,
            method: api.func_name ?? '',
          },
    upstream_token: open('upstream_token_encrypted'),
    connect_timeout_ms: api.connect_timeout_ms ?? connectTimeoutDefaultMs,
    answer_timeout_ms: api.answer_timeout_ms ?? answerTimeoutDefaultMs,
    policy: toPolicy(api.traffic_policy),
  }
}

const toPolicy = (stored: string | null): TrafficPolicy =>
  stored === null
    ? noTrafficPolicy
    : { ...noTrafficPolicy, ...(JSON.parse(stored) as Partial<TrafficPolicy>) }

function toSnapshotEndpoint(endpoint: Rows['endpoints'][number]): SnapshotEndpoint {
  return {
    id: endpoint.id,
    api_id: endpoint.api_id,
    name: endpoint.summary,
    method: ({ get: 'GET', post: 'POST', put: 'PUT' } as const)[endpoint.method_type],
    path: endpoint.path,
    is_active: endpoint.status === 'active',
    requires_token: endpoint.authentication === 1,
    custom_output: endpoint.custom_output,
    is_read_only: isMarkedReadOnly(endpoint.run_settings),
  }
}

/** An effect that somebody chose; the one that merely follows from the method says nothing. */
function isMarkedReadOnly(runSettings: string | null): boolean {
  if (runSettings === null) return false
  return (JSON.parse(runSettings) as { effect?: unknown }).effect === 'read'
}

function toTokens(tokens: Rows['tokens'], memberships: Rows['memberships']) {
  const roles = Map.groupBy(memberships, ({ user_id }) => user_id)
  return tokens.map(({ id, token_hash, user_id, expires_at }) => ({
    id,
    digest: token_hash,
    user_id,
    expires_at,
    role_ids: (roles.get(user_id) ?? []).map(({ role_id }) => role_id),
  }))
}

function toAccess(grants: Rows['grants']) {
  return [...Map.groupBy(grants, ({ role_id }) => role_id)].map(([role_id, held]) => ({
    role_id,
    endpoint_ids: held.map(({ endpoint_id }) => endpoint_id),
  }))
}
