import { argon2Sync, randomBytes } from 'node:crypto'
import {
  createAddressGuard,
  createHttpUpstream,
  createProcedureUpstream,
} from '@gatehouse/upstream'
import type { Permission } from '@gatehouse/contract'
import type { FastifyRequest, InjectOptions } from 'fastify'
import { pino } from 'pino'
import { createApp } from '../../src/app.ts'
import type { Db } from '../../src/db/connect.ts'
import type { GatewayLink } from '../../src/publishing/gateway-link.ts'
import { createSecretBox, type SecretBox } from '../../src/kernel/secret-box.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { createStores } from '../../src/stores.ts'
import { countStatements } from '../counting/count-statements.ts'
import { createTestDatabase, type TestDatabase } from '../test-database.ts'

export const testPassword = 'correct horse battery'

// One hash for every account of every test, which costs as little as argon2 allows: tests sign in thousands of times.
const nonce = randomBytes(16)
const tag = argon2Sync('argon2id', {
  message: testPassword,
  nonce,
  memory: 8,
  passes: 1,
  parallelism: 1,
  tagLength: 32,
})
const cheapHash = `$argon2id$v=19$m=8,t=1,p=1$${nonce.toString('base64')}$${tag.toString('base64')}`

export interface Answer {
  status: number
  headers: Record<string, unknown>
  text: string
  body: unknown
}

export type TestServer = Awaited<ReturnType<typeof buildServer>>

interface Beside {
  secrets: SecretBox
  /** Of this server; several servers are told apart by it. */
  instanceId: string
}

/**
 * The real app on a fresh database, with a movable clock and one signed-in Super Admin. `beside` makes it
 * another server on the database of one that was built before.
 */
export async function buildServer(
  environment: NodeJS.ProcessEnv = {},
  gateway?: GatewayLink,
  database?: Omit<TestDatabase, 'readers'> & { readers?: Db },
  beside?: Beside,
) {
  const { secrets, instanceId } = beside ?? {
    secrets: createSecretBox(randomBytes(32)),
    instanceId: 'test-server',
  }
  const { db: plainDb, readers = plainDb, drop } = database ?? (await createTestDatabase())
  const statements = countStatements()
  const db = plainDb.withPlugin(statements.plugin)
  const time: { now: Date; monotonicMs?: number } = { now: new Date('2026-06-01T08:00:00Z') }
  const logLines: string[] = []
  const settings = readSettings({ ...environment })
  const guard = createAddressGuard({
    allow: settings.upstreamAllow,
    deny: settings.upstreamDeny,
    own: () => [],
  })
  const upstream = createHttpUpstream({ guard })
  const procedures = createProcedureUpstream({ guard })
  const log = pino({ level: 'info' }, { write: (line: string) => logLines.push(line) })
  const created = await createApp({
    db,
    readers: readers.withPlugin(statements.plugin),
    clock: { now: () => time.now, monotonicMs: () => time.monotonicMs ?? time.now.getTime() },
    log,
    runLog: log,
    secrets,
    guard,
    upstream,
    procedures,
    gateway,
    settings,
    instanceId,
    resetPauseMs: () => 0,
    version: '0.0.0',
    dashboardFolder: environment.DASHBOARD_FOLDER ?? '/nonexistent',
  })
  const { hold, app, refusals, contracts, ledger, runKeeper, publisher, traffic, sample } = created
  const { dispatcher, laneQueue, polls, healing, batches, unattended, nodes, archived, runSpans } =
    created
  /** What a test lets happen once a call was let in and parsed, before its handler runs. */
  const hooks: { beforeHandler?: ((request: FastifyRequest) => Promise<void>) | undefined } = {}
  app.addHook('preHandler', async (request) => hooks.beforeHandler?.(request))
  await app.ready()
  const stores = createStores(db, { now: () => time.now })

  async function send(
    method: InjectOptions['method'],
    url: string,
    options: Omit<InjectOptions, 'method' | 'url' | 'body'> & {
      token?: string | undefined
      body?: unknown
    } = {},
  ): Promise<Answer> {
    const { token, body, headers, ...rest } = options
    const answer = await app.inject({
      method: method ?? 'GET',
      url,
      headers: { ...headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(body === undefined ? {} : { payload: body as object }),
      ...rest,
    })
    const isJson = /[/+]json\b/.test(String(answer.headers['content-type'])) && answer.body !== ''
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      body: isJson ? answer.json() : undefined,
    }
  }

  /** An account with a new role that holds just these permissions, or with a seeded role. */
  async function buildUser({
    email = `user-${randomBytes(4).toString('hex')}@example.com`,
    permissions = [] as Permission[],
    role = undefined as string | undefined,
    passwordHash = cheapHash,
  } = {}) {
    const now = time.now.toISOString()
    const username = email.split('@')[0] ?? email
    const user = await stores.users.insert({
      name: username,
      email,
      email_key: email.toLowerCase(),
      username,
      username_key: username,
      password_hash: passwordHash,
      created_at: now,
      updated_at: now,
    })
    const roleName = role ?? `role of ${email}`
    if (!role) {
      const { id } = await db
        .insertInto('role')
        .values({ name: roleName, name_key: roleName })
        .returning('id')
        .executeTakeFirstOrThrow()
      for (const name of permissions) {
        const permission = await db
          .selectFrom('permission')
          .select('id')
          .where('name', '=', name)
          .executeTakeFirstOrThrow()
        await db
          .insertInto('role_permission')
          .values({ role_id: id, permission_id: permission.id })
          .execute()
      }
    }
    await stores.users.addRole(user.id, roleName)
    return { id: user.id, email, roleName, token: await signIn(email) }
  }

  async function signIn(email: string): Promise<string> {
    const answer = await send('POST', '/api/login', { body: { email, password: testPassword } })
    return (answer.body as { token: string }).token
  }

  const adminEmail = 'admin@example.com'
  const known = beside && (await stores.users.findByEmail(adminEmail))
  const admin = known
    ? { id: known.id, email: adminEmail, roleName: 'Super Admin', token: await signIn(adminEmail) }
    : await buildUser({ email: adminEmail, role: 'Super Admin' })
  return {
    app,
    db,
    hooks,
    refusals,
    stores,
    statements,
    contracts,
    ledger,
    runKeeper,
    dispatcher,
    laneQueue,
    archived,
    polls,
    healing,
    runSpans,
    batches,
    unattended,
    hold,
    nodes,
    secrets,
    publisher,
    traffic,
    sample,
    time,
    logLines,
    send,
    buildUser,
    signIn,
    admin,
    close: async () => {
      await app.close()
      await publisher.stop()
      await nodes.stop()
      await Promise.all([upstream.close(), procedures.close()])
      await drop()
    },
  }
}

/** A valid HTTP API definition; a test names only what it is about. */
export const httpApi = (overrides: Record<string, unknown> = {}) => ({
  name: 'Posts',
  api_protocol: 'http',
  authentication: 'false',
  auth_type: '',
  gateway_status: 'active',
  api_access: 'internally',
  api_url: 'http://127.0.0.1:9',
  ...overrides,
})

export const procedureApi = (overrides: Record<string, unknown> = {}) => ({
  name: 'Ledger',
  api_protocol: 'stored_procedure',
  authentication: false,
  gateway_status: 'active',
  api_access: 'internally',
  driver: 'mysql',
  host: 'db.example.com',
  port: '3306',
  database: 'erp',
  username: 'gatehouse',
  password: 'a secret of the database',
  func_name: 'post_invoice',
  ...overrides,
})

/** A workflow of one step, as its form sends it. */
export const workflowOf = (endpointId: number, overrides: Record<string, unknown> = {}) => ({
  name: 'Invoices',
  slug: 'invoices',
  kind: 'general',
  status: 'active',
  description: '',
  input_schema: null,
  sample_input: null,
  reference_path: '',
  order_key_path: '',
  lane: { name: 'Authority' },
  steps: [
    {
      endpoint_id: endpointId,
      body: { kind: 'template', text: '{"id":"{{input.id}}"}' },
      condition: null,
    },
  ],
  callback: null,
  ...overrides,
})

export const endpointOf = (apiId: number, overrides: Record<string, unknown> = {}) => ({
  api_id: apiId,
  method_type: 'get',
  status: 'active',
  path: '/posts/{id}',
  summery: 'One post',
  description: 'Reads one post',
  enable_custom_output: 0,
  custom_output: '',
  authentication: 0,
  ...overrides,
})
