import type { GatewayRequestPage } from '@gatehouse/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import { createLogFolder } from '../../../test/places/log-folder.ts'
import { makeAdminToken } from '../../../test/rows/make-admin-token.ts'

const folder = createLogFolder()
let server: TestServer
let endpointId: number
let tokenId: number
let apiId: number
let consumer: Awaited<ReturnType<TestServer['buildUser']>>

beforeAll(async () => {
  server = await buildServer({ DATA_DIR: folder.dataDir })
  const { token } = server.admin
  const create = async (path: string, body: object) =>
    ((await server.send('POST', path, { token, body })).body as { id: number }).id
  apiId = await create('/api/apis', {
    name: 'Shop',
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: 'http://127.0.0.1:9',
  })
  endpointId = await create('/api/endpoint', {
    api_id: apiId,
    method_type: 'get',
    status: 'active',
    path: '/orders',
    summery: 'Orders',
    description: 'Orders',
  })
  consumer = await server.buildUser({ permissions: ['token.view', 'token.create'] })
  const made = await server.send('POST', '/admin/token/store', {
    token: consumer.token,
    body: { name: 'till 4', expires_in_days: '30' },
  })
  tokenId = (made.body as { access_token: { id: number } }).access_token.id
  writeLog()
})
afterAll(async () => {
  await server.close()
  folder.remove()
})

const pasted = `ghp_${'a'.repeat(49)}`

function writeLog(): void {
  const line = (fields: object) =>
    `${JSON.stringify({
      level: 'info',
      time: '2026-06-01T07:59:58.000Z',
      context: 'gateway',
      request_id: 'r-1',
      method: 'GET',
      path: '/shop/orders',
      endpoint_id: endpointId,
      api_id: apiId,
      status: 200,
      duration_ms: 12.5,
      upstream_ms: 11,
      upstream_status: 200,
      bytes_in: 0,
      bytes_out: 42,
      client: '10.0.0.7',
      token_id: tokenId,
      user_id: consumer.id,
      ...fields,
    })}\n`
  folder.write(
    'gateway/gateway-1-2026-06-01.log',
    [
      line({ request_id: 'r-0', endpoint_id: 999, api_id: 998, user_id: 997, token_id: 996 }),
      line({}),
      line({
        request_id: 'r-2',
        level: 'warn',
        status: 504,
        code: 'upstream.timeout',
        path: `/shop/orders/${pasted}/token=abcdef`,
        detail: 'Bearer abcdefgh',
        upstream_status: undefined,
        via: 'mcp',
        agent: `a client token=abcdef`,
      }),
    ].join(''),
  )
}

const get = (query: string, token = server.admin.token) =>
  server.send('GET', `/api/gateway-requests${query}`, { token })
const list = async (query = '', token = server.admin.token) => {
  const answer = await get(query, token)
  expect(answer.status, answer.text).toBe(200)
  return answer.body as GatewayRequestPage
}

describe('the list of requests', () => {
  it('says of each what it was, who made it and what became of it', async () => {
    const { rows, records_all } = await list(`?endpoint=${endpointId}&status=answered`)
    expect(records_all).toBe(true)
    expect(rows).toEqual([
      {
        file: 'gateway-1-2026-06-01.log',
        offset: expect.any(Number),
        at: '2026-06-01T07:59:58.000Z',
        request_id: 'r-1',
        method: 'GET',
        path: '/shop/orders',
        status: 200,
        code: '',
        reason: '',
        detail: '',
        duration_ms: 12.5,
        upstream_ms: 11,
        upstream_status: 200,
        bytes_in: 0,
        bytes_out: 42,
        address: '10.0.0.7',
        endpoint_id: endpointId,
        endpoint: 'Orders',
        api_id: apiId,
        api: 'Shop',
        user_id: consumer.id,
        user: consumer.email.split('@')[0],
        token_id: tokenId,
        token: 'till 4',
        issuer_id: null,
        issuer: null,
        subject: '',
        is_try: false,
        is_draft: false,
        agent: null,
      },
    ])
  })

  it('gives the reason of a failure in words, and no secret whatever the line holds', async () => {
    const answer = await get('?status=failed')
    const [row] = (answer.body as GatewayRequestPage).rows
    expect(row).toMatchObject({
      code: 'upstream.timeout',
      reason: 'The upstream did not answer in time.',
      upstream_status: null,
      agent: expect.stringMatching(/^a client /),
    })
    expect(answer.text).not.toContain(pasted)
    expect(answer.text).not.toContain('abcdef')
  })

  it('names the token that it is narrowed down to, with or without a request of it', async () => {
    expect(await list(`?token=${tokenId}&status=refused`)).toMatchObject({
      token: 'till 4',
      rows: [],
    })
    expect((await list()).token).toBeNull()
    expect((await list('?token=996')).token).toBeNull()
  })

  it('names nothing that was deleted since', async () => {
    const { rows } = await list('?endpoint=999')
    expect(rows[0]).toMatchObject({ endpoint: null, api: null, user: null, token: null })
  })

  it('goes on page by page, and says what came since', async () => {
    const first = await list('?limit=2')
    expect(first.rows.map(({ request_id }) => request_id)).toEqual(['r-2', 'r-1'])
    const second = await list(`?limit=2&older=${first.older}`)
    expect(second.rows.map(({ request_id }) => request_id)).toEqual(['r-0'])
    expect(second.older).toBeNull()
    expect((await list(`?since=${first.newest}`)).rows).toEqual([])
  })

  it('names the other servers that live: their requests are not among these', async () => {
    const now = server.time.now.toISOString()
    await server.stores.nodes.insert({
      instance_id: 'edge',
      name: 'edge-1',
      start_id: '',
      beat: 0,
      place: '',
      version: '1',
      role: 'gateway',
      state: null,
      started_at: now,
      seen_at: now,
      stopped_at: null,
    })
    expect((await list()).other_servers).toEqual(['edge-1'])
  })

  it('is recorded once for a view, however long it is followed', async () => {
    const viewer = await server.buildUser({ permissions: ['log.view'] })
    await list('', viewer.token)
    await list('?follow=1', viewer.token)
    await list('?follow=1', viewer.token)
    const trail = await server.send('GET', `/api/audit?action=log.view&limit=100`, {
      token: server.admin.token,
    })
    const events = (trail.body as [{ data: { actor: string; thing_name: string }[] }])[0].data
    expect(events.filter(({ actor }) => actor === viewer.email.split('@')[0])).toMatchObject([
      { thing_name: 'gateway requests' },
    ])
  })
})

it('is recorded for each token of a program', async () => {
  const viewer = await server.buildUser({ permissions: ['log.view'] })
  const program = () => makeAdminToken(server, viewer.token, 'log.view')
  const all = [await program(), await program()]
  for (const token of [...all, ...all]) await list('?follow=1', token)
  const events = await server.db
    .selectFrom('audit_event')
    .select('actor')
    .where('action', '=', 'log.view')
    .where('actor_id', '=', viewer.id)
    .execute()
  expect(events).toHaveLength(2)
})

describe('who may not see a client', () => {
  it('sees neither its name nor that of its token, only the ids of the log', async () => {
    const viewer = await server.buildUser({ permissions: ['log.view'] })
    const { rows } = await list(`?client=${consumer.id}&status=answered`, viewer.token)
    expect(rows[0]).toMatchObject({ user_id: consumer.id, user: null, token: null })
    expect((await list(`?token=${tokenId}`, viewer.token)).token).toBeNull()
    const people = await server.buildUser({ permissions: ['log.view', 'user.view'] })
    const seen = await list(`?client=${consumer.id}&status=answered`, people.token)
    expect(seen.rows[0]).toMatchObject({ user: consumer.email.split('@')[0], token: null })
  })
})

describe('is refused', () => {
  it.each([
    ['?older=nonsense', 'older'],
    [`?older=${Buffer.from('[["../../etc/passwd",0]]').toString('base64url')}`, 'older'],
    [`?since=${Buffer.from('[["gateway-1-2026-06-01.log",-1]]').toString('base64url')}`, 'since'],
    [`?since=${Buffer.from('{"a":1}').toString('base64url')}`, 'since'],
    ['?status=42', 'status'],
    ['?endpoint=x', 'endpoint'],
    ['?from=yesterday', 'from'],
    ['?limit=1000', 'limit'],
  ])('%s', async (query, field) => {
    const answer = await get(query)
    expect(answer.status).toBe(422)
    expect(Object.keys((answer.body as { errors: object }).errors)).toEqual([field])
  })

  it('without the permission for logs', async () => {
    const user = await server.buildUser({ permissions: ['dashboard.view', 'endpoint.view'] })
    expect((await get('', user.token)).status).toBe(403)
  })
})
