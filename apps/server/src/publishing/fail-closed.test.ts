import { configSnapshot, gatewayClientId } from '@gatehouse/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  buildServer,
  endpointOf,
  httpApi,
  procedureApi,
  type TestServer,
} from '../../test/servers/build-server.ts'
import { recordingGateway } from '../../test/servers/recording-gateway.ts'

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
const last = () => configSnapshot.parse(gateway.published.at(-1))
const breakSecret = (id: number) =>
  server.db
    .updateTable('api')
    .set({ upstream_token_encrypted: 'v1.broken' })
    .where('id', '=', id)
    .execute()

describe('with one stored secret that can’t be opened', () => {
  it('a revoked token, a deleted user, a disabled API and access taken away are published', async () => {
    const broken = await make('/api/apis', httpApi({ name: 'Broken', upstream_token: 'secret' }))
    const other = await make('/api/apis', httpApi({ name: 'Other' }))
    const endpoint = await make('/api/endpoint', endpointOf(other.id))
    const { access_token } = await make('/admin/token/store', { user: gatewayClientId })
    const role = await server.db
      .selectFrom('role')
      .select('id')
      .where('name', '=', 'API Consumer')
      .executeTakeFirstOrThrow()
    await call('PUT', `/api/api-permission/${role.id}/update`, { endpoints: [endpoint.id] })
    await breakSecret(broken.id)

    expect((await call('DELETE', `/api/token/${access_token.id}`)).status).toBe(204)
    expect(last().tokens).toEqual([])
    const access = await call('PUT', `/api/api-permission/${role.id}/update`, { endpoints: [] })
    expect(access.status).toBe(200)
    expect(last().access).toEqual([])
    const disabled = await call(
      'PUT',
      `/api/apis/${other.id}`,
      httpApi({ name: 'Other', gateway_status: 'disabled' }),
    )
    expect(disabled.status).toBe(200)
    expect(last().apis.map(({ name, is_active, fault }) => ({ name, is_active, fault }))).toEqual([
      { name: 'Broken', is_active: true, fault: 'upstream_token' },
      { name: 'Other', is_active: false, fault: null },
    ])
  })

  it('its API keeps who may call it, and nothing that could be called', async () => {
    const { id } = await make(
      '/api/apis',
      procedureApi({ authentication: true, auth_type: 'bearer_token' }),
    )
    await server.db
      .updateTable('api')
      .set({ password_encrypted: 'v9.unknown' })
      .where('id', '=', id)
      .execute()
    await server.publisher.publish()
    await make('/api/apis', httpApi({ name: 'The change that is published' }))
    expect(last().apis[0]).toMatchObject({
      context: 'ledger',
      requires_token: true,
      is_internal: true,
      base_url: null,
      procedure: null,
      credential: null,
      fault: 'password',
    })
  })
})

it.each([
  ['a policy that is no JSON', { traffic_policy: '{' }, 'policy'],
  ['a policy of another shape', { traffic_policy: '{"rate_limit":"many"}' }, 'policy'],
  ['a base URL that is none', { api_url: 'not a URL' }, 'definition'],
  ['a driver that there is none of', { driver: 'oracle' as never }, 'definition'],
] as const)('isolates an API with %s', async (_, columns, fault) => {
  const { id } = await make('/api/apis', httpApi({ name: 'Broken' }))
  await server.db.updateTable('api').set(columns).where('id', '=', id).execute()
  await make('/api/apis', httpApi({ name: 'The change that is published' }))
  expect(last().apis.map((api) => api.fault)).toEqual([fault, null])
})

it.each([
  ['an expiry that is no moment', { expires_at: '9999' }],
  ['a digest that is none', { token_hash: 'broken' }],
])('refuses a token with %s, and publishes the revocation of another', async (_, columns) => {
  const [odd, revoked, kept] = [
    await make('/admin/token/store', { user: gatewayClientId }),
    await make('/admin/token/store', { user: gatewayClientId }),
    await make('/admin/token/store', { user: gatewayClientId }),
  ]
  await server.db
    .updateTable('personal_token')
    .set(columns)
    .where('id', '=', odd.access_token.id)
    .execute()
  expect((await call('DELETE', `/api/token/${revoked.access_token.id}`)).status).toBe(204)
  expect(last().tokens.map(({ id }) => id)).toEqual([kept.access_token.id])
})

it('leaves out what no path can lead to, and says so', async () => {
  const api = await make('/api/apis', httpApi({ name: 'Reserved' }))
  await make('/api/endpoint', endpointOf(api.id))
  const other = await make('/api/apis', httpApi({ name: 'Other' }))
  const odd = await make('/api/endpoint', endpointOf(other.id))
  await server.db.updateTable('api').set({ context: '..' }).where('id', '=', api.id).execute()
  await server.db.updateTable('endpoint').set({ path: 'odd' }).where('id', '=', odd.id).execute()
  await make('/api/apis', httpApi({ name: 'The change that is published' }))
  expect(last().apis.map(({ name }) => name)).toEqual(['Other', 'The change that is published'])
  expect(last().endpoints).toEqual([])
  expect((await call('GET', '/api/gateway')).body).toMatchObject({
    refusal: null,
    faults: [
      { api_id: api.id, name: 'Reserved', fault: 'context' },
      { api_id: other.id, name: 'Other', fault: 'endpoint' },
    ],
  })
})

describe('a change that is not in force', () => {
  it('is answered 503 with what holds it up, saved all the same', async () => {
    const { access_token } = await make('/admin/token/store', { user: gatewayClientId })
    gateway.control.refusal = 'Worker 1: two endpoints are alike.'
    const answer = await call('DELETE', `/api/token/${access_token.id}`)
    expect(answer.status).toBe(503)
    expect(answer.body).toMatchObject({
      code: 'gateway.not_in_force',
      message: 'Saved, but not in force yet: Worker 1: two endpoints are alike.',
    })
    expect(last().tokens).toEqual([])
    // It is revoked already, and still not in force.
    expect((await call('DELETE', `/api/token/${access_token.id}`)).status).toBe(503)
  })

  it('carries the usual answer, so that nothing is lost', async () => {
    gateway.control.refusal = 'Worker 1: two endpoints are alike.'
    const answer = await call('POST', '/admin/token/store', { user: gatewayClientId })
    expect(answer.status).toBe(503)
    expect(answer.body).toMatchObject({
      saved: { access_token: { id: expect.any(Number), token: expect.stringMatching(/^ghp_/) } },
    })
  })

  it.each([
    ['no worker runs', 'isWaiting', /^Saved, but not in force yet: No worker has/],
    ['workers are slow', 'isSlow', /has not answered within 2 seconds/],
  ] as const)('is answered 503 while %s', async (_, control, words) => {
    gateway.control[control] = true
    const answer = await call('POST', '/api/apis', httpApi())
    expect(answer.status).toBe(503)
    expect((answer.body as { message: string }).message).toMatch(words)
    gateway.control[control] = false
    gateway.release()
  })

  it('is answered as usual where this server runs no gateway', async () => {
    const alone = await buildServer()
    const answer = await alone.send('POST', '/api/apis', {
      token: alone.admin.token,
      body: httpApi(),
    })
    expect(answer.status).toBe(201)
    await alone.close()
  })
})

describe('the alarm', () => {
  const health = async () => (await server.send('GET', '/healthz')).body
  const metric = async (name: string) =>
    new RegExp(`^${name} (.+)$`, 'm').exec((await server.send('GET', '/metrics')).text)?.[1]

  it('says in health and metrics that a configuration is not in force, until it is', async () => {
    await make('/api/apis', httpApi({ name: 'First' }))
    const published = last().revision
    expect(await health()).toMatchObject({ status: 'ok' })
    gateway.control.refusal = 'Worker 1: two endpoints are alike.'
    await call('POST', '/api/apis', httpApi({ name: 'Second' }))
    expect(await health()).toMatchObject({
      status: 'degraded',
      reasons: [`Configuration ${published + 1} is not in force.`],
    })
    expect(await metric('gateway_published_revision')).toBe(String(published))
    expect(await metric('gateway_refused_revision')).toBe(String(published + 1))
    gateway.control.refusal = undefined
    await make('/api/apis', httpApi({ name: 'Third' }))
    expect(await health()).toEqual({ status: 'ok', version: '0.0.0' })
    expect(await metric('gateway_refused_revision')).toBe('0')
  })

  it('says that an API is isolated, in its list and form too', async () => {
    const { id } = await make('/api/apis', httpApi({ upstream_token: 'secret' }))
    await breakSecret(id)
    await make('/api/apis', httpApi({ name: 'Other' }))
    expect(await health()).toMatchObject({
      status: 'degraded',
      reasons: ['1 API can’t be read in whole and is not served in whole.'],
    })
    expect(await metric('gateway_isolated_apis')).toBe('1')
    expect((await call('GET', '/api/apis')).body).toMatchObject([
      { data: [{ id, fault: 'upstream_token' }, { fault: null }] },
    ])
    expect((await call('GET', `/api/apis/${id}/edit`)).body).toMatchObject([
      { id, fault: 'upstream_token' },
    ])
    const mended = await call('PUT', `/api/apis/${id}`, httpApi({ upstream_token: 'again' }))
    expect(mended.status).toBe(200)
    expect(await health()).toMatchObject({ status: 'ok' })
  })
})

it('one failed read of the revision is forgotten once reading works again', async () => {
  await make('/api/apis', httpApi())
  await server.db.schema.alterTable('config_revision').renameTo('away').execute()
  await server.publisher.publish()
  await server.db.schema.alterTable('away').renameTo('config_revision').execute()
  expect((await call('GET', '/api/gateway')).body).toMatchObject({
    refusal: { reason: expect.stringContaining('could not be read') },
  })
  await server.publisher.publish()
  expect((await call('GET', '/api/gateway')).body).toMatchObject({ refusal: null })
})
