import { configSnapshot, gatewayClientId } from '@gatehouse/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
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

const make = async (url: string, body: unknown) => {
  const answer = await server.send('POST', url, { token: server.admin.token, body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body as { id: number; access_token: { id: number; token: string } }
}
const last = () => configSnapshot.parse(gateway.published.at(-1))

it('holds every API, endpoint, token and access as the gateway needs them, secrets opened', async () => {
  const http = await make('/api/apis', httpApi({ name: 'Till Data', upstream_token: 'up-secret' }))
  const ledger = await make(
    '/api/apis',
    procedureApi({ authentication: true, auth_type: 'bearer_token' }),
  )
  const endpoint = await make(
    '/api/endpoint',
    endpointOf(http.id, {
      method_type: 'put',
      authentication: 1,
      enable_custom_output: 1,
      custom_output: '{"ok":true}',
    }),
  )
  const off = await make('/api/endpoint', endpointOf(ledger.id, { status: 'disabled' }))
  const { access_token } = await make('/admin/token/store', { user: gatewayClientId })
  const consumer = await server.db
    .selectFrom('role')
    .select('id')
    .where('name', '=', 'API Consumer')
    .executeTakeFirstOrThrow()
  await server.send('PUT', `/api/api-permission/${consumer.id}/update`, {
    token: server.admin.token,
    body: { endpoints: [endpoint.id] },
  })

  const snapshot = last()
  expect(snapshot.apis).toMatchObject([
    {
      id: http.id,
      context: 'till-data',
      is_active: true,
      is_internal: true,
      requires_token: false,
      base_url: 'http://127.0.0.1:9',
      procedure: null,
      credential: { kind: 'bearer', token: 'up-secret' },
      connect_timeout_ms: 5_000,
      answer_timeout_ms: 30_000,
    },
    {
      id: ledger.id,
      requires_token: true,
      base_url: null,
      credential: null,
      procedure: { driver: 'mysql', password: 'a secret of the database', method: 'post_invoice' },
    },
  ])
  expect(snapshot.endpoints).toMatchObject([
    {
      id: endpoint.id,
      method: 'PUT',
      path: '/posts/{id}',
      is_active: true,
      requires_token: true,
      custom_output: '{"ok":true}',
    },
    { id: off.id, method: 'GET', is_active: false, custom_output: null, is_read_only: false },
  ])
  expect(snapshot.tokens).toMatchObject([
    { id: access_token.id, user_id: gatewayClientId, role_ids: [consumer.id] },
  ])
  expect(JSON.stringify(snapshot)).not.toContain(access_token.token)
  expect(snapshot.access).toEqual([{ role_id: consumer.id, endpoint_ids: [endpoint.id] }])
  expect(snapshot.super_admin_role_id).toBeGreaterThan(0)
})

it('says which endpoints may be sent again: those that are not declared a submit', async () => {
  const api = await make('/api/apis', httpApi({ name: 'Repeated' }))
  const repeatable = async (method_type: string, effect: string) => {
    const path = `/${method_type}-${effect}`
    const made = await make(
      '/api/endpoint',
      endpointOf(api.id, { method_type, path, run_settings: { effect } }),
    )
    return last().endpoints.find(({ id }) => id === made.id)?.is_repeatable
  }
  expect(await repeatable('get', '')).toBe(true)
  expect(await repeatable('put', '')).toBe(true)
  expect(await repeatable('put', 'read')).toBe(true)
  expect(await repeatable('get', 'submit')).toBe(false)
  expect(await repeatable('put', 'submit')).toBe(false)
  expect(await repeatable('post', '')).toBe(false)
})

it('serves an API whose context was given before it was reserved', async () => {
  const { id } = await make('/api/apis', httpApi({ name: 'Early' }))
  await server.db.updateTable('api').set({ context: 'api' }).where('id', '=', id).execute()
  await make('/api/endpoint', endpointOf(id))
  expect(last().apis).toMatchObject([{ id, context: 'api', fault: null }])
})

it('leaves out tokens that are revoked or have expired', async () => {
  const revoked = await make('/admin/token/store', { user: gatewayClientId })
  await make('/admin/token/store', { user: gatewayClientId, expires_in_days: 1 })
  const kept = await make('/admin/token/store', { user: gatewayClientId, expires_in_days: 30 })
  server.time.now = new Date('2026-06-03T08:00:00Z')
  server.admin.token = await server.signIn(server.admin.email)
  await server.send('DELETE', `/api/token/${revoked.access_token.id}`, {
    token: server.admin.token,
  })
  expect(last().tokens.map(({ id }) => id)).toEqual([kept.access_token.id])
})

it('holds ten thousand endpoints', async () => {
  const api = await make('/api/apis', httpApi())
  const row = await server.stores.endpoints.find(
    (await make('/api/endpoint', endpointOf(api.id))).id,
  )
  const { id: _id, api_name: _name, api_context: _context, ...columns } = row!
  for (let at = 0; at < 10_000; at += 500) {
    const rows = Array.from({ length: 500 }, (_, index) => ({
      ...columns,
      path: `/many/${at + index}`,
      path_key: `/many/${at + index}`,
    }))
    await server.db.insertInto('endpoint').values(rows).execute()
  }
  await make('/api/apis', httpApi({ name: 'The change that is published' }))
  expect(last().endpoints).toHaveLength(10_001)
})
