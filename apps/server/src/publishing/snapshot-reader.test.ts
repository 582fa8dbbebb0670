import { gatewayClientId, withChanges, type ConfigSnapshot } from '@gatehouse/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  buildServer,
  endpointOf,
  httpApi,
  type TestServer,
} from '../../test/servers/build-server.ts'
import { recordingGateway } from '../../test/servers/recording-gateway.ts'
import { systemClock } from '../kernel/clock.ts'
import { inTransactionOn } from '../stores.ts'
import { buildSnapshot } from './build-snapshot.ts'

let gateway: ReturnType<typeof recordingGateway>
let server: TestServer
beforeEach(async () => {
  gateway = recordingGateway()
  server = await buildServer({}, gateway.link)
})
afterEach(() => server.close())

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) =>
  server.send(method, url, { token: server.admin.token, body })
const make = async (url: string, body: unknown) => {
  const answer = await call('POST', url, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body as { id: number; access_token: { id: number } }
}
const lastChanges = () => gateway.changes.at(-1)
const roleId = async (name: string) =>
  (
    await server.db
      .selectFrom('role')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
  ).id

const byId = (snapshot: ConfigSnapshot) => ({
  ...snapshot,
  built_at: '',
  endpoints: snapshot.endpoints.toSorted((one, other) => one.id - other.id),
  access: snapshot.access
    .map((each) => ({ ...each, endpoint_ids: each.endpoint_ids.toSorted((a, b) => a - b) }))
    .toSorted((one, other) => one.role_id - other.role_id),
})

/** What was published, whole and as the changes of what was published before, is what the database holds. */
async function expectTruth(): Promise<void> {
  const { snapshot, faults } = await buildSnapshot(server.db, server.secrets, {
    now: () => server.time.now,
  })
  const [before, published] = gateway.published.slice(-2)
  expect(byId(published!)).toEqual(byId(snapshot))
  expect(server.publisher.faults).toEqual(faults)
  const changes = lastChanges()
  if (changes) expect(withChanges(before!, changes)).toEqual(published)
}

it('a new endpoint is published alone, however many there are', async () => {
  const api = await make('/api/apis', httpApi())
  for (let at = 0; at < 20; at++)
    await make('/api/endpoint', endpointOf(api.id, { path: `/many/${at}` }))
  const { id } = await make('/api/endpoint', endpointOf(api.id, { path: '/one-more' }))
  expect(lastChanges()).toMatchObject({
    apis: [],
    endpoints: [{ id, path: '/one-more' }],
    tokens: [],
    access: [],
    removed_endpoints: [],
  })
  expect(JSON.stringify(lastChanges()).length).toBeLessThan(1_000)
  await expectTruth()
})

describe('what was changed', () => {
  it('of APIs, endpoints, tokens, users, roles and access is what is published', async () => {
    const [api, other] = [
      await make('/api/apis', httpApi({ name: 'Till' })),
      await make('/api/apis', httpApi({ name: 'Other' })),
    ]
    const endpoint = await make('/api/endpoint', endpointOf(api.id))
    const second = await make('/api/endpoint', endpointOf(other.id))
    const { access_token } = await make('/admin/token/store', { user: gatewayClientId })
    const consumer = await roleId('API Consumer')
    const steps = [
      () =>
        call('PUT', `/api/api-permission/${consumer}/update`, {
          endpoints: [endpoint.id, second.id],
        }),
      () => call('PUT', `/api/apis/${api.id}`, httpApi({ name: 'Till', context: 'moved' })),
      () => call('PUT', `/api/endpoint/${endpoint.id}`, endpointOf(other.id, { path: '/moved' })),
      () => call('DELETE', `/api/endpoint/${second.id}`),
      () => call('PUT', `/api/api-permission/${consumer}/update`, { endpoints: [] }),
      () => call('DELETE', `/api/token/${access_token.id}`),
      () => call('DELETE', `/api/apis/${api.id}`),
    ]
    for (const step of steps) {
      const { status, text } = await step()
      expect(status, text).toBeLessThan(300)
      expect(lastChanges()).toBeDefined()
      await expectTruth()
    }
  })

  it('by hand is published with the next change', async () => {
    const broken = await make('/api/apis', httpApi({ name: 'Broken', upstream_token: 'secret' }))
    await make('/admin/token/store', { user: gatewayClientId })
    await server.db
      .updateTable('api')
      .set({ upstream_token_encrypted: 'v1.broken' })
      .where('id', '=', broken.id)
      .execute()
    await server.db.deleteFrom('user_role').where('user_id', '=', gatewayClientId).execute()
    await make('/api/apis', httpApi({ name: 'The change that is published' }))
    expect(lastChanges()).toMatchObject({
      apis: [{ fault: 'upstream_token' }, { fault: null }],
      tokens: [{ role_ids: [] }],
    })
    await expectTruth()
  })

  it('a token that has expired meanwhile goes with the next change', async () => {
    await make('/admin/token/store', { user: gatewayClientId, expires_in_days: 1 })
    server.time.now = new Date(server.time.now.getTime() + 2 * 86_400_000)
    server.admin.token = await server.signIn(server.admin.email)
    await make('/api/apis', httpApi())
    expect(gateway.published.at(-1)?.tokens).toEqual([])
    await expectTruth()
  })
})

describe('everything is read again', () => {
  const publishNext = async () => {
    await make('/api/apis', httpApi({ name: 'The next' }))
    await expectTruth()
  }

  it('where the database has lost what was published', async () => {
    const api = await make('/api/apis', httpApi())
    await make('/api/endpoint', endpointOf(api.id))
    await server.db.deleteFrom('endpoint').execute()
    await server.db.deleteFrom('config_change').execute()
    await server.db.updateTable('config_revision').set({ mark: 'of the other server' }).execute()
    await publishNext()
    expect(lastChanges()).toBeUndefined()
  })

  it('where an endpoint had to be left out: the next change may bring it in', async () => {
    const api = await make('/api/apis', httpApi())
    const { id } = await make('/api/endpoint', endpointOf(api.id))
    await server.db.updateTable('api').set({ context: '..' }).where('id', '=', api.id).execute()
    await publishNext()
    expect(lastChanges()).toBeUndefined()
    await server.db.updateTable('api').set({ context: 'well' }).where('id', '=', api.id).execute()
    await make('/api/apis', httpApi({ name: 'And another' }))
    expect(gateway.published.at(-1)?.endpoints).toMatchObject([{ id }])
    await expectTruth()
  })

  it('where a thousand parts have changed', async () => {
    const api = await make('/api/apis', httpApi())
    const { id } = await make('/api/endpoint', endpointOf(api.id))
    const {
      id: _,
      api_name: _n,
      api_context: _c,
      ...columns
    } = (await server.stores.endpoints.find(id))!
    const rows = Array.from({ length: 600 }, (_each, at) => ({ ...columns, path_key: `/${at}` }))
    await server.db.insertInto('endpoint').values(rows).execute()
    await server.db
      .insertInto('endpoint')
      .values(rows.map((row) => ({ ...row, path_key: `${row.path_key}/more` })))
      .execute()
    await publishNext()
    expect(lastChanges()).toBeUndefined()
  })
})

it('keeps the changes of a thousand revisions', async () => {
  const inTransaction = inTransactionOn(server.db, systemClock)
  const bump = () => inTransaction(({ revisions }) => revisions.bump())
  await bump()
  const first = await server.stores.revisions.get()
  await bump()
  expect(await server.stores.revisions.listSince(first, 10)).toBeDefined()
  await server.db
    .updateTable('config_revision')
    .set((column) => ({ revision: column('revision', '+', 1_000) }))
    .execute()
  await bump()
  expect(await server.stores.revisions.listSince(first, 10)).toBeUndefined()
  const { count } = await server.db
    .selectFrom('config_change')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBeLessThan(5)
})
