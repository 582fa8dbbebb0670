// Databases: SQLite.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gatewayClientId, type Permission } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import { recordingGateway } from '../../../test/servers/recording-gateway.ts'
import type { UnsavedEndpoint } from '../../publishing/gateway-link.ts'

// A listener takes the gateway's address; an e2e test covers real workers.

const handedOver: UnsavedEndpoint[] = []
const arrived: string[] = []
const signIns: string[] = []
/** Gateway and authority at once: what matters is what each is sent. */
const listener = createServer((request, answer) => {
  if (request.url === '/login') {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      signIns.push(body)
      answer.writeHead(body.includes('wrong') ? 401 : 200, { 'Content-Type': 'application/json' })
      answer.end(JSON.stringify({ access_token: 'obtained-token-1', expires_in: 60 }))
    })
    return
  }
  arrived.push(request.url ?? '')
  answer.end('echo of typed-token and obtained-token-1')
})
beforeAll(async () => {
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
})
afterAll(() => listener.close())

let server: TestServer
let apiId: number
let endpointId: number

const definitionOf = (changes: object = {}) => ({
  name: 'Shop',
  api_protocol: 'http',
  gateway_status: 'active',
  api_access: 'internally',
  api_url: 'https://erp.example.com',
  ...changes,
})
const storedToken = { kind: 'bearer', token: 'stored-token', scheme: 'Bearer', refused_when: null }

beforeEach(async () => {
  for (const list of [handedOver, arrived, signIns]) list.length = 0
  const { port } = listener.address() as AddressInfo
  const { link } = recordingGateway()
  server = await buildServer(
    {},
    {
      ...link,
      address: { address: '127.0.0.1', port },
      startUnsavedTrace: async (unsaved) => (
        handedOver.push(unsaved),
        { header: ['x-gatehouse-trace', 'u_1.a-signature'], trace: Promise.resolve(undefined) }
      ),
    },
  )
  apiId = await create('/api/apis', definitionOf({ credential: storedToken }))
  endpointId = await create('/api/endpoint', {
    api_id: apiId,
    method_type: 'get',
    status: 'active',
    path: '/orders/{id}',
    summery: 'Order',
    description: 'Order',
  })
  return () => server.close()
})

async function create(path: string, body: object): Promise<number> {
  const answer = await server.send('POST', path, { token: server.admin.token, body })
  return (answer.body as { id: number }).id
}

const tryChanges = (changes: object, body: object = {}, token = server.admin.token) =>
  server.send('POST', `/api/apis/${apiId}/try-changes`, {
    token,
    body: {
      params: { id: '7' },
      endpoint_id: endpointId,
      definition: definitionOf(changes),
      ...body,
    },
  })
const route = { method_type: 'get', path: '/' }
const tryNew = (changes: object = {}, body: object = {}, token = server.admin.token) =>
  server.send('POST', '/api/apis/try', {
    token,
    body: { route, definition: definitionOf({ name: 'Fresh', ...changes }), ...body },
  })
const fieldsOf = ({ body }: { body: unknown }) => Object.keys((body as { errors: object }).errors)
const stored = () => server.db.selectFrom('api').selectAll().execute()

describe('changes of an API', () => {
  test('go through the gateway at one of its endpoints, and are stored nowhere', async () => {
    const before = [await stored(), await server.stores.revisions.get()]
    const headers = [{ name: 'X-Plant', value: '7' }]
    const answer = await tryChanges({ static_headers: headers, answer_timeout_ms: 1_500 })
    expect(answer.status).toBe(200)
    expect(arrived).toEqual(['/shop/orders/7'])
    expect(handedOver).toMatchObject([
      {
        replaces: endpointId,
        endpoint: { id: endpointId, path: '/orders/{id}', api_id: apiId },
        api: {
          id: apiId,
          base_url: 'https://erp.example.com',
          static_headers: headers,
          answer_timeout_ms: 1_500,
          credential: storedToken,
        },
      },
    ])
    expect([await stored(), await server.stores.revisions.get()]).toEqual(before)
  })

  test('are in the audit trail without secrets', async () => {
    await tryChanges({ credential: { ...storedToken, token: 'typed-token' } })
    const trail = await server.send('GET', '/api/audit?action=api.try', {
      token: server.admin.token,
    })
    expect((trail.body as [{ data: object[] }])[0].data).toMatchObject([
      {
        thing: 'api',
        thing_id: apiId,
        thing_name: 'Shop',
        can_restore: false,
        after: { request: 'GET /shop/orders/{id}', endpoint_id: endpointId },
      },
    ])
    expect(trail.text).not.toContain('typed-token')
    expect(trail.text).not.toContain('stored-token')
  })

  test('send what was typed for the credential, which is masked in the answer', async () => {
    const answer = await tryChanges({ credential: { ...storedToken, token: 'typed-token' } })
    expect(handedOver[0]?.api?.credential).toMatchObject({ token: 'typed-token' })
    expect(answer.text).toContain('echo of [credential]')
  })

  test.each([
    ['another base URL', { api_url: 'https://evil.example.com' }],
    [
      'a further target',
      {
        traffic_policy: {
          targets: { own_weight: 1, others: [{ url: 'https://evil.example.com', weight: 1 }] },
        },
      },
    ],
  ])('never send a stored secret to %s', async (_, changes) => {
    const kept = await tryChanges(changes)
    expect([kept.status, fieldsOf(kept)]).toEqual([422, ['definition.upstream_token']])
    const blank = await tryChanges({ ...changes, credential: { ...storedToken, token: '' } })
    expect([blank.status, fieldsOf(blank)]).toEqual([422, ['definition.credential.token']])
    expect([handedOver, arrived]).toEqual([[], []])
  })

  test.each([
    ['the contract', { api_url: 'ftp://x' }, 'definition.api_url'],
    ['the address guard', { api_url: 'http://169.254.169.254' }, 'definition.api_url'],
    ['a name that is taken', { name: 'Other' }, 'definition.name'],
  ])('are refused under their field by %s', async (_, changes, field) => {
    await create('/api/apis', definitionOf({ name: 'Other' }))
    const answer = await tryChanges({ ...changes, credential: null })
    expect([answer.status, fieldsOf(answer)]).toEqual([422, [field]])
    expect(handedOver).toEqual([])
  })

  test('are refused where the stored one has changed since, or is gone', async () => {
    expect(await tryChanges({ version: 7 })).toMatchObject({ body: { code: 'record.changed' } })
    const gone = await server.send('POST', '/api/apis/999/try-changes', {
      token: server.admin.token,
      body: { route, definition: definitionOf({ name: 'Gone' }) },
    })
    expect(gone.status).toBe(404)
  })

  test('are tried at no endpoint of another API, and not at a path beside its endpoints', async () => {
    const other = await create('/api/apis', definitionOf({ name: 'Other' }))
    const foreign = await server.send('POST', `/api/apis/${other}/try-changes`, {
      token: server.admin.token,
      body: { endpoint_id: endpointId, definition: definitionOf({ name: 'Other' }) },
    })
    expect(fieldsOf(foreign)).toEqual(['endpoint_id'])
    expect(fieldsOf(await tryChanges({}, { endpoint_id: null, route }))).toEqual(['endpoint_id'])
    expect(handedOver).toEqual([])
  })

  test('are tried only by users who may save, send, and call the endpoint', async () => {
    const editor = await server.buildUser({ permissions: ['api.edit', 'request.send'] })
    expect(await tryChanges({}, {}, editor.token)).toMatchObject({
      body: { code: 'access.denied' },
    })
    const [role] = await server.stores.users.rolesOf(editor.id)
    await server.stores.access.addEndpoints(role!.id, [endpointId])
    expect((await tryChanges({}, {}, editor.token)).status).toBe(200)
    for (const permission of ['api.edit', 'request.send'] as const) {
      const { token } = await server.buildUser({ permissions: [permission] })
      expect(await tryChanges({}, {}, token)).toMatchObject({
        body: { code: 'permission.denied' },
      })
    }
    expect(handedOver).toHaveLength(1)
  })
})

describe('an API that is new', () => {
  test('is tried at a path of its base URL, under the prefix that it would get', async () => {
    expect((await tryNew({ credential: storedToken })).status).toBe(200)
    expect(arrived).toEqual(['/fresh/'])
    expect(handedOver).toMatchObject([
      { replaces: null, endpoint: { id: 0, method: 'GET', path: '/' }, api: { id: 0 } },
    ])
    expect(await stored()).toHaveLength(1)
  })

  test.each<[string, Permission[], number]>([
    ['who may not save it', ['request.send', 'endpoint.create', 'api-permission.edit'], 403],
    ['who may not send', ['api.create', 'endpoint.create', 'api-permission.edit'], 403],
    ['who could make no endpoint', ['api.create', 'request.send', 'api-permission.edit'], 403],
    ['who could give no access', ['api.create', 'request.send', 'endpoint.create'], 403],
    ['', ['api.create', 'request.send', 'endpoint.create', 'api-permission.edit'], 200],
  ])('not by a user %s', async (_, permissions, status) => {
    const { token } = await server.buildUser({ permissions })
    expect((await tryNew({}, {}, token)).status).toBe(status)
    expect(handedOver).toHaveLength(status === 200 ? 1 : 0)
  })

  test('not as a stored procedure, and not at an endpoint', async () => {
    const procedure = {
      api_protocol: 'stored_procedure',
      driver: 'mysql',
      host: 'db',
      port: 3306,
      database: 'd',
      username: 'u',
      password: 'p',
      func_name: 'f',
    }
    expect(fieldsOf(await tryNew(procedure))).toEqual(['definition.api_protocol'])
    expect(fieldsOf(await tryNew({}, { endpoint_id: endpointId }))).toEqual(['endpoint_id'])
  })
})

describe('a sign-in that is not saved', () => {
  const login = (changes: object = {}) => ({
    kind: 'login_call',
    method: 'POST',
    content_type: 'application/json',
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/login`,
    body: '{"user":"u","password":"right"}',
    token_path: 'access_token',
    expires_path: '',
    headers: [],
    send_as: [{ name: 'X-Session', value: '{token}' }],
    refused_when: null,
    ...changes,
  })

  test('obtains a token for this one request, and keeps nothing of it', async () => {
    const answer = await tryNew({ credential: login() })
    expect(answer.status, answer.text).toBe(200)
    expect(handedOver[0]?.api?.credential).toEqual({
      kind: 'headers',
      headers: [{ name: 'X-Session', value: 'obtained-token-1' }],
      refused_when: null,
    })
    expect(answer.text).toContain('typed-token and [credential]')
    expect(await server.db.selectFrom('sign_in_token').selectAll().execute()).toEqual([])
  })

  test('says under its field what the authority refuses', async () => {
    const answer = await tryNew({ credential: login({ body: '{"password":"wrong"}' }) })
    expect([answer.status, fieldsOf(answer)]).toEqual([422, ['definition.credential.body']])
    expect(handedOver).toEqual([])
    // It was asked all the same.
    expect(signIns).toHaveLength(1)
    const tried = server.db.selectFrom('audit_event').selectAll().where('action', '=', 'api.try')
    expect(await tried.execute()).toMatchObject([{ thing_name: 'Fresh' }])
  })

  test('uses up no refresh token', async () => {
    const credential = {
      kind: 'oauth2_refresh_token',
      token_url: 'https://id.example.com/token',
      client_id: 'c',
      client_secret: 's',
      refresh_token: 'r',
    }
    const answer = await tryNew({ credential })
    expect(answer.body).toMatchObject({ code: 'upstream.sign_in' })
    expect(answer.text).toContain('refresh token')
  })

  test('shows the token in use while it is the stored one', async () => {
    await create('/api/apis', definitionOf({ name: 'Held', credential: login() }))
    const held = (await stored()).find(({ name }) => name === 'Held')!
    const body = { route, definition: definitionOf({ name: 'Held' }) }
    for (const _ of [1, 2])
      await server.send('POST', `/api/apis/${held.id}/try-changes`, {
        token: server.admin.token,
        body,
      })
    expect(signIns).toHaveLength(1)
    expect(handedOver).toHaveLength(2)
  })
})

test('a try that reaches the draft of an API masks what the draft signs in with', async () => {
  const credential = { ...storedToken, token: 'typed-token' }
  const { token } = server.admin
  const made = await server.send('POST', '/admin/token/store', {
    token,
    body: { user: gatewayClientId },
  })
  const { access_token } = made.body as { access_token: { id: number; token: string } }
  const draft = { draft_tokens: [access_token.id], draft_version: 0 }
  const saved = await server.send('PUT', `/api/apis/${apiId}/draft`, {
    token,
    body: { ...definitionOf({ credential }), ...draft },
  })
  expect(saved.status, saved.text).toBe(200)
  const answer = await server.send('POST', `/api/endpoint/${endpointId}/try`, {
    token,
    body: { params: { id: '7' }, token: access_token.token },
  })
  expect(answer.text).toContain('echo of [credential]')
})
