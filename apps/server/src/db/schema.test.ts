import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase } from '../../test/test-database.ts'
import type { Db } from './connect.ts'
import { migrate } from './migrate.ts'
import { seed } from './seed.ts'
import { bucketColumns, type Database } from './tables.ts'

const trafficColumns = {
  at: true,
  endpoint_id: true,
  requests: true,
  refused: true,
  errors: true,
  bytes_in: true,
  bytes_out: true,
  ...(Object.fromEntries(bucketColumns.map((column) => [column, true])) as Record<
    (typeof bucketColumns)[number],
    true
  >),
} as const

// Every column of tables.ts: a column that is added or dropped there does not compile here.
const columns: { [T in keyof Database]: Record<keyof Database[T], true> } = {
  user: {
    id: true,
    name: true,
    email: true,
    email_key: true,
    username: true,
    username_key: true,
    password_hash: true,
    version: true,
    created_at: true,
    updated_at: true,
  },
  role: { id: true, name: true, name_key: true, version: true },
  permission: { id: true, name: true },
  role_permission: { role_id: true, permission_id: true },
  user_role: { user_id: true, role_id: true },
  session: {
    id: true,
    user_id: true,
    token_hash: true,
    download_hash: true,
    address: true,
    user_agent: true,
    created_at: true,
    last_used_at: true,
    ended_at: true,
  },
  key_check: { id: true, check_value: true, created_at: true },
  api: {
    id: true,
    name: true,
    name_key: true,
    context: true,
    api_protocol: true,
    authentication: true,
    auth_type: true,
    gateway_status: true,
    api_access: true,
    api_url: true,
    test_api_url: true,
    driver: true,
    host: true,
    port: true,
    database: true,
    username: true,
    password_encrypted: true,
    func_name: true,
    db_tls: true,
    db_ca: true,
    upstream_token_encrypted: true,
    connect_timeout_ms: true,
    answer_timeout_ms: true,
    traffic_policy: true,
    version: true,
    created_at: true,
    updated_at: true,
  },
  endpoint: {
    id: true,
    api_id: true,
    method_type: true,
    status: true,
    path: true,
    path_key: true,
    summary: true,
    description: true,
    custom_output: true,
    authentication: true,
    run_settings: true,
    status_endpoint_id: true,
    version: true,
    created_at: true,
    updated_at: true,
  },
  procedure_contract: {
    api_id: true,
    method: true,
    signature: true,
    shapes: true,
    locked_at: true,
    drift: true,
    drift_kind: true,
    drift_seen_at: true,
    checked_at: true,
    check_failure: true,
  },
  role_endpoint: { role_id: true, endpoint_id: true },
  personal_token: {
    id: true,
    user_id: true,
    name: true,
    token_hash: true,
    ending: true,
    created_by_id: true,
    created_by_name: true,
    created_at: true,
    expires_at: true,
    last_used_at: true,
    revoked_at: true,
  },
  audit_event: {
    id: true,
    at: true,
    actor_id: true,
    actor: true,
    address: true,
    request_id: true,
    action: true,
    outcome: true,
    thing: true,
    thing_id: true,
    thing_name: true,
    times: true,
    before: true,
    after: true,
  },
  document: {
    id: true,
    kind: true,
    is_test: true,
    reference: true,
    state: true,
    run_id: true,
    original_reference: true,
    authority_reference: true,
    qr: true,
    created_at: true,
    updated_at: true,
  },
  document_step: { document_id: true, run_id: true, position: true, state: true },
  run: {
    id: true,
    kind: true,
    state: true,
    is_test: true,
    idempotency_key: true,
    content_sha256: true,
    reference: true,
    retry_of: true,
    user_id: true,
    user_name: true,
    request_id: true,
    created_at: true,
    finished_at: true,
    lease_owner: true,
    lease_until: true,
    epoch: true,
    client_key: true,
    unknown_since: true,
    alarmed_at: true,
    original_run_id: true,
    is_dry_run: true,
    overtaken_by: true,
    closed_at: true,
    closed_by_id: true,
    closed_by_name: true,
    closed_reason: true,
    search_text: true,
  },
  config_revision: { id: true, revision: true },
  traffic_minute: trafficColumns,
  traffic_hour: trafficColumns,
  run_step: {
    id: true,
    run_id: true,
    position: true,
    endpoint_id: true,
    endpoint_name: true,
    effect: true,
    state: true,
    uuid: true,
    method: true,
    url: true,
    headers: true,
    body: true,
    source_body: true,
    dependency_field: true,
    message: true,
    not_before: true,
    frozen_at: true,
    reused_from: true,
    is_dry: true,
    has_credential: true,
    blocked_by: true,
  },
  run_attempt: {
    id: true,
    step_id: true,
    number: true,
    owner: true,
    started_at: true,
    finished_at: true,
    outcome: true,
    error_code: true,
    status: true,
    answer_headers: true,
    answer_body: true,
    answer_bytes: true,
    duration_ms: true,
    kind: true,
    user_id: true,
    user_name: true,
    note: true,
    reference: true,
    detail: true,
    url: true,
    verdict: true,
    has_settled: true,
  },
}

let db: Db
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, drop } = await createTestDatabase())
})
afterAll(() => drop())

it('the migrations leave exactly the tables and columns of tables.ts', async () => {
  const tables = await db.introspection.getTables()
  const found = Object.fromEntries(
    tables
      .filter(({ name }) => !name.startsWith('kysely_') && !name.startsWith('sqlite_'))
      // SQLite keeps its search indexes in tables.
      .filter(({ name }) => !/_search(_|$)/.test(name))
      .map(({ name, columns: found_ }) => [name, found_.map((column) => column.name).toSorted()]),
  )
  const expected = Object.fromEntries(
    Object.entries(columns).map(([name, each]) => [name, Object.keys(each).toSorted()]),
  )
  expect(found).toEqual(expected)
})

it('migrating and seeding again changes nothing', async () => {
  const snapshot = async () =>
    JSON.stringify([
      await db.selectFrom('role').selectAll().orderBy('id').execute(),
      await db.selectFrom('permission').selectAll().orderBy('id').execute(),
      await db
        .selectFrom('role_permission')
        .selectAll()
        .orderBy('role_id')
        .orderBy('permission_id')
        .execute(),
      await db.selectFrom('user').selectAll().orderBy('id').execute(),
    ])
  const before = await snapshot()
  await migrate(db)
  await seed(db, new Date())
  expect(await snapshot()).toBe(before)
})

it('seeds user 4 as a gateway client that cannot sign in, and numbers new accounts from 5', async () => {
  const client = await db
    .selectFrom('user')
    .selectAll()
    .where('id', '=', 4)
    .executeTakeFirstOrThrow()
  expect(client).toMatchObject({ name: 'Gateway client', password_hash: null })
  const now = new Date().toISOString()
  const next = await db
    .insertInto('user')
    .values({
      name: 'x',
      email: 'x',
      email_key: 'x',
      username: 'x',
      username_key: 'x',
      password_hash: null,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect(next.id).toBe(5)
})

it('never gives an id twice', async () => {
  const insert = () =>
    db
      .insertInto('role')
      .values({ name: 'x', name_key: 'x' })
      .returning('id')
      .executeTakeFirstOrThrow()
  const first = await insert()
  await db.deleteFrom('role').where('id', '=', first.id).execute()
  expect((await insert()).id).toBeGreaterThan(first.id)
})
