// Databases: SQLite.

import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gatewayClientId, type Permission, type TryItAnswer } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import type { TriedAs, UnsavedEndpoint } from '../../publishing/gateway-link.ts'
import { makeAdminToken } from '../../../test/rows/make-admin-token.ts'
import { recordingGateway } from '../../../test/servers/recording-gateway.ts'

// A listener takes the gateway's address; an e2e test covers real workers.

const arrived: IncomingMessage[] = []
/** What the gateway was asked to take a request as. */
const lent: (TriedAs | undefined)[] = []
/** Definitions that were handed over to it, unsaved. */
const handedOver: UnsavedEndpoint[] = []
const gatewayServer = createServer((request, answer) => {
  arrived.push(request)
  if (request.url?.includes('cut')) {
    request.socket.destroy()
    return
  }
  answer.writeHead(418, ['X-Twice', 'one', 'X-Twice', 'two'])
  answer.end(request.url?.includes('large') ? 'x'.repeat(100_000) : 'short and stout')
})
beforeAll(async () => {
  gatewayServer.listen(0, '127.0.0.1')
  await once(gatewayServer, 'listening')
})
afterAll(() => gatewayServer.close())

let server: TestServer
let endpointId: number

beforeEach(async () => {
  arrived.length = 0
  lent.length = 0
  handedOver.length = 0
  const { port } = gatewayServer.address() as AddressInfo
  const { link } = recordingGateway()
  server = await buildServer(
    {},
    {
      ...link,
      address: { address: '0.0.0.0', port },
      startUnsavedTrace: async (unsaved, as) => (
        handedOver.push(unsaved),
        lent.push(as),
        { header: ['x-gatehouse-trace', 'u_1.a-signature'], trace: Promise.resolve(undefined) }
      ),
      startTrace: (_, as) => (
        lent.push(as),
        {
          header: ['x-gatehouse-trace', 'an-id.a-signature'],
          trace: Promise.resolve({
            request_id: 'r-1',
            revision: 3,
            took_ms: 1.5,
            stages: [
              { name: 'match', verdict: 'passed', started_ms: 0, took_ms: 0.1, details: {} },
            ],
          }),
        }
      ),
    },
  )
  const create = async (path: string, body: object) =>
    ((await server.send('POST', path, { token: server.admin.token, body })).body as { id: number })
      .id
  const api_id = await create('/api/apis', {
    name: 'Shop',
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: 'http://127.0.0.1:9',
  })
  endpointId = await create('/api/endpoint', {
    api_id,
    method_type: 'post',
    status: 'active',
    path: '/orders/{id}',
    summery: 'Order',
    description: 'Order',
  })
  return () => server.close()
})

const send = (body: object, token = server.admin.token) =>
  server.send('POST', `/api/endpoint/${endpointId}/try`, { token, body })

test('the request goes to the gateway’s port as typed, and answer and trace come back', async () => {
  const answer = await send({
    params: { id: 'a/b' },
    query: 'x=1&y=%20',
    headers: 'X-One: 1\n\nX-Two:2',
    body: '{"a":1}',
    token: 'ghp_secret',
  })
  expect(answer.status).toBe(200)
  const result = answer.body as TryItAnswer
  expect(result.request.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/shop\/orders\/a%2Fb\?x=1&y=%20$/)
  expect(result.answer).toMatchObject({ status: 418, body: 'short and stout', is_whole: true })
  expect(result.answer.headers.filter(([name]) => name === 'X-Twice')).toHaveLength(2)
  expect(result).toMatchObject({ request_id: 'r-1', trace: { revision: 3 } })
  const trail = await server.send('GET', '/api/audit?action=endpoint.try', {
    token: server.admin.token,
  })
  expect((trail.body as [{ data: object[] }])[0].data).toMatchObject([
    { thing: 'endpoint', thing_id: endpointId, thing_name: 'POST /shop/orders/{id}' },
  ])
  expect(arrived[0]?.headers).toMatchObject({
    'x-one': '1',
    'x-two': '2',
    authorization: 'Bearer ghp_secret',
    'content-type': 'application/json',
    'content-length': '7',
    'x-gatehouse-trace': 'an-id.a-signature',
    'x-forwarded-for': '127.0.0.1',
  })
})

test('of a long answer the beginning is shown', async () => {
  const answer = await send({ params: { id: 'large' } })
  const { body, body_bytes, is_whole } = (answer.body as TryItAnswer).answer
  expect([body.length, body_bytes, is_whole]).toEqual([65_536, 100_000, false])
})

test('a gateway that does not answer is reported as such', async () => {
  expect(await send({ params: { id: 'cut' } })).toMatchObject({
    status: 502,
    body: { code: 'gateway.silent' },
  })
})

describe('nothing is sent', () => {
  test.each([
    ['a parameter without a value', {}, 'params.id'],
    ['a parameter that would lead elsewhere', { params: { id: '..' } }, 'params'],
    ['a query with white space', { params: { id: '1' }, query: 'a b' }, 'query'],
    ['a header that is none', { params: { id: '1' }, headers: 'no colon' }, 'headers'],
    [
      'a header that the token field is for',
      { params: { id: '1' }, headers: 'Authorization: x' },
      'headers',
    ],
    [
      'a header that frames the request',
      { params: { id: '1' }, headers: 'Content-Length: 1' },
      'headers',
    ],
    [
      'an address of one’s own',
      { params: { id: '1' }, headers: 'X-Forwarded-For: 8.8.8.8' },
      'headers',
    ],
    ['a trace of one’s own', { params: { id: '1' }, headers: 'X-Gatehouse-Trace: x' }, 'headers'],
  ])('for %s', async (_, body, field) => {
    const answer = await send(body)
    expect(answer.status).toBe(422)
    expect(Object.keys((answer.body as { errors: object }).errors)).toEqual([field])
    expect(arrived).toEqual([])
  })

  test('for who has no role with access to the endpoint, or may not send', async () => {
    const without = await server.buildUser({ permissions: ['request.send'] })
    const body = { params: { id: '1' } }
    expect(await send(body, without.token)).toMatchObject({
      status: 403,
      body: { code: 'access.denied' },
    })
    const reader = await server.buildUser({ permissions: ['request.fetch'] })
    expect(await send(body, reader.token)).toMatchObject({
      status: 403,
      body: { code: 'permission.denied' },
    })
    expect(arrived).toEqual([])
  })

  test('where this server runs no gateway, or there is no such endpoint', async () => {
    const missing = await server.send('POST', '/api/endpoint/999/try', {
      token: server.admin.token,
      body: {},
    })
    expect(missing.status).toBe(404)
    const alone = await buildServer()
    const answer = await alone.send('POST', '/api/endpoint/999/try', {
      token: alone.admin.token,
      body: {},
    })
    expect(answer.status).toBe(404)
    await alone.close()
  })
})

/** Another endpoint of the API, which no role may call. */
async function createHidden(): Promise<number> {
  const answer = await server.send('POST', '/api/endpoint', {
    token: server.admin.token,
    body: {
      api_id: (await server.stores.endpoints.find(endpointId))!.api_id,
      method_type: 'get',
      status: 'active',
      path: '/hidden',
      summery: 'Hidden',
      description: 'Hidden',
    },
  })
  return (answer.body as { id: number }).id
}

describe('as a chosen client', () => {
  const makeToken = async (user: number) => {
    const body = { user, name: 'Till 4' }
    const answer = await server.send('POST', '/admin/token/store', {
      token: server.admin.token,
      body,
    })
    return (answer.body as { access_token: { id: number; ending: string } }).access_token
  }
  /** Who may try the endpoint, and has these permissions besides. */
  const buildTester = async (...permissions: Permission[]) => {
    const tester = await server.buildUser({ permissions: ['request.send', ...permissions] })
    const [role] = await server.stores.users.rolesOf(tester.id)
    await server.stores.access.addEndpoints(role!.id, [endpointId])
    return tester
  }
  const tryAs = (id: number, token?: string) =>
    send({ params: { id: '7' }, query: 'a=1', as_token: id }, token)

  test('the gateway is told the token by its id for this one request, and the trail by name', async () => {
    const client = await server.buildUser({ permissions: [] })
    const { id, ending } = await makeToken(client.id)
    expect((await tryAs(id)).status).toBe(200)
    expect(lent).toEqual([{ tokenId: id, method: 'POST', target: '/shop/orders/7?a=1' }])
    expect(arrived[0]?.headers.authorization).toBeUndefined()
    const trail = await server.send('GET', '/api/audit?action=endpoint.try', {
      token: server.admin.token,
    })
    const [event] = (trail.body as [{ data: object[] }])[0].data
    expect(event).toMatchObject({
      thing_name: 'POST /shop/orders/{id}',
      can_restore: false,
    })
    const rows = await server.db
      .selectFrom('audit_event')
      .select('after')
      .where('action', '=', 'endpoint.try')
      .execute()
    expect(JSON.parse(rows[0]?.after ?? '')).toEqual({
      tried_as: client.email.split('@')[0],
      token_id: id,
      token: 'Till 4',
      ending,
    })
  })

  test('whose token the caller could make as well', async () => {
    const tester = await buildTester('token.create')
    const forClient = await makeToken(gatewayClientId)
    expect((await tryAs(forClient.id, tester.token)).status).toBe(200)
    const own = await makeToken(tester.id)
    expect((await tryAs(own.id, tester.token)).status).toBe(200)
    const any = await buildTester('token.create', 'token.create_any')
    const weaker = await server.buildUser({ permissions: [] })
    expect((await tryAs((await makeToken(weaker.id)).id, any.token)).status).toBe(200)
    expect(lent).toHaveLength(3)
  })

  test.each<[string, Permission[], string, number]>([
    ['without token.create', [], 'self', 403],
    ['of others', ['token.create'], 'weaker', 404],
    ['of who holds more', ['token.create', 'token.create_any'], 'stronger', 403],
    ['of a Super Admin', ['token.create', 'token.create_any'], 'admin', 403],
    ['that there is not', ['token.create', 'token.create_any'], 'none', 404],
  ])('but with no token %s', async (_, permissions, whose, status) => {
    const tester = await buildTester(...permissions)
    const weaker = await server.buildUser({ permissions: [] })
    const stronger = await server.buildUser({ permissions: ['user.delete'] })
    const ids = {
      self: tester.id,
      weaker: weaker.id,
      stronger: stronger.id,
      admin: server.admin.id,
    }
    const id = whose === 'none' ? 999 : (await makeToken(ids[whose as keyof typeof ids])).id
    expect((await tryAs(id, tester.token)).status).toBe(status)
    expect([lent, arrived]).toEqual([[], []])
  })

  test('but by a token for programs with no token of its own user', async () => {
    const tester = await buildTester('token.create')
    const token = await makeAdminToken(server, tester.token, 'request.send', 'token.create')
    const own = await makeToken(tester.id)
    expect(await tryAs(own.id, token)).toMatchObject({
      status: 403,
      body: { code: 'permission.denied' },
    })
    expect([lent, arrived]).toEqual([[], []])
    expect((await tryAs((await makeToken(gatewayClientId)).id, token)).status).toBe(200)
  })

  test('and not with access that the holder has and the caller has not', async () => {
    const any = await buildTester('token.create', 'token.create_any')
    const consumer = await server.buildUser({ permissions: [] })
    const [role] = await server.stores.users.rolesOf(consumer.id)
    await server.stores.access.addEndpoints(role!.id, [await createHidden()])
    const { id } = await makeToken(consumer.id)
    expect((await tryAs(id, any.token)).status).toBe(403)
    expect([lent, arrived]).toEqual([[], []])
  })

  test('never beside a token that is typed', async () => {
    const { id } = await makeToken(gatewayClientId)
    const answer = await send({ params: { id: '7' }, token: 'ghp_typed', as_token: id })
    expect(answer).toMatchObject({ status: 422, body: { errors: { token: expect.anything() } } })
    expect([lent, arrived]).toEqual([[], []])
  })
})

describe('as a client with a chosen role', () => {
  const tryAs = (as_role: number, token?: string, more: object = {}) =>
    send({ params: { id: '7' }, as_role, ...more }, token)
  const needed: Permission[] = ['request.send', 'token.create', 'token.create_any', 'role.view']
  /** A user who may try the endpoint and has one role of their own. */
  const buildTester = async (permissions: Permission[]) => {
    const tester = await server.buildUser({ permissions })
    const [role] = await server.stores.users.rolesOf(tester.id)
    await server.stores.access.addEndpoints(role!.id, [endpointId])
    return { ...tester, roleId: role!.id }
  }
  const roleWith = async (permissions: Permission[]) => {
    const { id } = await server.buildUser({ permissions })
    return (await server.stores.users.rolesOf(id))[0]!
  }

  test('the gateway is told the role for this one request, and the trail by name', async () => {
    const role = await roleWith([])
    expect((await tryAs(role.id)).status).toBe(200)
    expect(lent).toEqual([{ roleId: role.id, method: 'POST', target: '/shop/orders/7' }])
    expect(arrived[0]?.headers.authorization).toBeUndefined()
    const rows = await server.db
      .selectFrom('audit_event')
      .select('after')
      .where('action', '=', 'endpoint.try')
      .execute()
    expect(JSON.parse(rows[0]?.after ?? '')).toEqual({ tried_as_role: role.name, role_id: role.id })
  })

  test('by who could make a token for any user who has it', async () => {
    const tester = await buildTester(needed)
    expect((await tryAs((await roleWith([])).id, tester.token)).status).toBe(200)
    expect((await tryAs(tester.roleId, tester.token)).status).toBe(200)
  })

  test.each(needed)('and by nobody without %s', async (missing) => {
    const tester = await buildTester(needed.filter((each) => each !== missing))
    const answer = await tryAs((await roleWith([])).id, tester.token)
    expect(answer).toMatchObject({ status: 403, body: { code: 'permission.denied' } })
    expect([lent, arrived]).toEqual([[], []])
  })

  test('never with more than the caller has', async () => {
    const tester = await buildTester(needed)
    const stronger = await roleWith(['user.delete'])
    const reader = await roleWith([])
    await server.stores.access.addEndpoints(reader.id, [await createHidden()])
    const [superAdmin] = await server.stores.users.rolesOf(server.admin.id)
    for (const { id } of [stronger, reader, superAdmin!])
      expect((await tryAs(id, tester.token)).status).toBe(403)
    expect((await tryAs(999, tester.token)).status).toBe(404)
    expect([lent, arrived]).toEqual([[], []])
  })

  test('never beside a token', async () => {
    const { id } = await roleWith([])
    const typed = await tryAs(id, undefined, { token: 'ghp_typed' })
    expect(typed).toMatchObject({ status: 422, body: { errors: { token: expect.anything() } } })
    const chosen = await tryAs(id, undefined, { as_token: 1 })
    expect(chosen).toMatchObject({ status: 422, body: { errors: { as_role: expect.anything() } } })
    expect([lent, arrived]).toEqual([[], []])
  })
})

describe('a definition that is not saved', () => {
  const definition = async (changes: object = {}) => ({
    api_id: (await server.stores.endpoints.find(endpointId))!.api_id,
    method_type: 'get',
    status: 'active',
    path: '/invoices/{id}',
    summery: 'Invoice',
    description: 'Invoice',
    ...changes,
  })
  const tryNew = async (changes: object, token = server.admin.token) =>
    server.send('POST', '/api/endpoint/try', {
      token,
      body: { params: { id: '7' }, definition: await definition(changes) },
    })
  const tryChanges = async (changes: object, token = server.admin.token) =>
    server.send('POST', `/api/endpoint/${endpointId}/try-changes`, {
      token,
      body: { params: { id: '7' }, definition: await definition(changes) },
    })
  const stored = () => server.db.selectFrom('endpoint').selectAll().execute()

  test('goes through the gateway, is in the audit trail, and is stored nowhere', async () => {
    const before = [await stored(), await server.stores.revisions.get()]
    const answer = await tryNew({ static_headers: [{ name: 'X-Plant', value: '7' }] })
    expect(answer.status).toBe(200)
    expect(arrived[0]?.url).toBe('/shop/invoices/7')
    expect(handedOver).toMatchObject([
      {
        replaces: null,
        endpoint: {
          id: 0,
          method: 'GET',
          path: '/invoices/{id}',
          static_headers: [{ name: 'X-Plant', value: '7' }],
        },
      },
    ])
    expect([await stored(), await server.stores.revisions.get()]).toEqual(before)
    const trail = await server.send('GET', '/api/audit?action=endpoint.try', {
      token: server.admin.token,
    })
    expect((trail.body as [{ data: object[] }])[0].data).toMatchObject([
      {
        thing_id: null,
        thing_name: 'GET /shop/invoices/{id}',
        after: { unsaved: { path: '/invoices/{id}', summery: 'Invoice' } },
        can_restore: false,
      },
    ])
  })

  test('takes the place of the stored one, with what was not sent from there', async () => {
    const row = (await server.stores.endpoints.find(endpointId))!
    const static_headers = JSON.stringify([{ name: 'X-Kept', value: '1' }])
    await server.stores.endpoints.update(endpointId, row.version, { static_headers })
    expect((await tryChanges({ path: '/changed/{id}' })).status).toBe(200)
    expect(handedOver).toMatchObject([
      {
        replaces: endpointId,
        endpoint: {
          id: endpointId,
          path: '/changed/{id}',
          static_headers: [{ name: 'X-Kept', value: '1' }],
        },
      },
    ])
    expect((await stored())[0]?.path).toBe('/orders/{id}')
  })

  test('loses the access of the stored one where it moves to another API', async () => {
    const other = await server.send('POST', '/api/apis', {
      token: server.admin.token,
      body: {
        name: 'Other',
        api_protocol: 'http',
        gateway_status: 'active',
        api_access: 'internally',
        api_url: 'http://127.0.0.1:9',
      },
    })
    expect((await tryChanges({ api_id: (other.body as { id: number }).id })).status).toBe(200)
    expect(handedOver).toMatchObject([{ replaces: endpointId, endpoint: { id: 0 } }])
    expect(arrived[0]?.url).toBe('/other/invoices/7')
  })

  test.each([
    ['the contract', { path: 'no-slash' }, 'definition.path'],
    [
      'another endpoint at its path',
      { method_type: 'post', path: '/orders/{no}' },
      'definition.path',
    ],
    ['an API that there is not', { api_id: 999 }, 'definition.api_id'],
  ])('is refused under its field by %s', async (_, changes, field) => {
    const answer = await tryNew(changes)
    expect(answer.status).toBe(422)
    expect(Object.keys((answer.body as { errors: object }).errors)).toEqual([field])
    expect([arrived, handedOver]).toEqual([[], []])
  })

  test('is refused where the stored one has changed since, or is gone', async () => {
    expect(await tryChanges({ version: 7 })).toMatchObject({
      status: 409,
      body: { code: 'record.changed' },
    })
    const body = { definition: await definition() }
    await server.stores.endpoints.remove(endpointId)
    const answer = await server.send('POST', `/api/endpoint/${endpointId}/try-changes`, {
      token: server.admin.token,
      body,
    })
    expect(answer.status).toBe(404)
  })

  test.each<[string, Permission[], number]>([
    ['who may not save it', ['request.send', 'api-permission.edit'], 403],
    ['who may not send', ['endpoint.create', 'api-permission.edit'], 403],
    ['who could not give access to it', ['endpoint.create', 'request.send'], 403],
    ['', ['endpoint.create', 'request.send', 'api-permission.edit'], 200],
  ])('new, not by a user %s', async (_, permissions, status) => {
    const { token } = await server.buildUser({ permissions })
    expect((await tryNew({}, token)).status).toBe(status)
    expect(handedOver).toHaveLength(status === 200 ? 1 : 0)
  })

  test('changed, only by users who may save, send, and call it', async () => {
    const editor = await server.buildUser({ permissions: ['endpoint.edit', 'request.send'] })
    expect(await tryChanges({}, editor.token)).toMatchObject({ body: { code: 'access.denied' } })
    const [role] = await server.stores.users.rolesOf(editor.id)
    await server.stores.access.addEndpoints(role!.id, [endpointId])
    expect((await tryChanges({}, editor.token)).status).toBe(200)
    const sender = await server.buildUser({ permissions: ['request.send'] })
    const silent = await server.buildUser({ permissions: ['endpoint.edit'] })
    for (const { token } of [sender, silent])
      expect(await tryChanges({}, token)).toMatchObject({ body: { code: 'permission.denied' } })
    expect(handedOver).toHaveLength(1)
  })
})
