import { noTrafficPolicy, type SnapshotChanges } from '@gatehouse/contract/gateway'
import { describe, expect, it } from 'vitest'
import { adminToken, buildToken, clientToken, digestOf } from '../testing/build-snapshot.ts'
import { createTrafficPolicies } from '../policy/traffic-policies.ts'
import { buildIssuer, issuerUrl, makeKey, signJwt } from '../testing/jwt-issuer.ts'
import { traceSecret } from '../testing/test-gateway.ts'
import { traceHeader, traceHeaderName } from '../trace/trace-signature.ts'
import { buildTool, jsonBody, startAgentGateway, textsOf } from './testing/agent-gateway.ts'

const limitedToken = `ghp_${'d'.repeat(49)}`
const two = [
  { tool: buildTool() },
  {
    method: 'POST' as const,
    tool: buildTool({ name: 'sales_new', effect: 'submit', body: jsonBody }),
  },
]
const limits = {
  endpoints: [1],
  workflows: [],
  methods: [],
  client_addresses: null,
  quota: null,
}

describe('who gets in', () => {
  it('without a token is refused before the message is read', async () => {
    const { post, upstream } = await startAgentGateway()
    const answer = await post('no JSON', { token: null })
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="gateway"',
    ])
    expect((await post('no JSON', { token: `ghp_${'x'.repeat(49)}` })).status).toBe(401)
    expect(upstream.sockets).toHaveLength(0)
  })

  it('is told where to sign in, where an issuer is trusted', async () => {
    const key = makeKey('one')
    const { gateway, post, list } = await startAgentGateway({
      snapshot: { issuers: [buildIssuer([key])] },
    })
    const refused = await post('', { token: null, path: '/mcp/sales' })
    const metadata = `${gateway.url}/.well-known/oauth-protected-resource/mcp/sales`
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer realm="gateway", resource_metadata="${metadata}"`,
    )
    const answer = await fetch(metadata)
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        resource: `${gateway.url}/mcp/sales`,
        authorization_servers: [issuerUrl],
        bearer_methods_supported: ['header'],
        resource_name: 'Gatehouse',
      },
    ])
    const known = `${gateway.url}/.well-known/oauth-protected-resource`
    const of = async (path: string) => (await fetch(known + path)).status
    expect([await of(''), await of('/mcp'), await of('/mcp/')]).toEqual([200, 200, 404])
    expect([await of('/other'), await of('-x'), await of('/mcp/none')]).toEqual([404, 404, 404])
    expect(await list({ token: signJwt(key) })).toEqual(['sales_orders'])
    expect(await list({ token: signJwt(key, { claims: { roles: [] } }) })).toEqual([])
  })

  it('has to come from an address that its token may be used from', async () => {
    const token = buildToken({
      limits: { ...limits, client_addresses: { allow: ['10.0.0.0/8'], deny: [] } },
    })
    const { send } = await startAgentGateway({ snapshot: { tokens: [token] } })
    expect((await send('tools/list')).status).toBe(403)
  })

  it('finds nothing where no API is offered, nor at an API that is not', async () => {
    const { send } = await startAgentGateway({ api: { offer_to_agents: false } })
    expect((await send('tools/list')).status).toBe(404)
    const served = await startAgentGateway()
    expect((await served.send('tools/list', {}, { path: '/mcp/other' })).status).toBe(404)
    expect((await served.send('tools/list', {}, { path: '/mcp/' })).status).toBe(404)
    expect(await served.list({ path: '/mcp/sales' })).toEqual(['sales_orders'])
  })

  it('leaves the paths of an API that has had the context before', async () => {
    const { gateway, list, send } = await startAgentGateway({
      api: { context: 'mcp' },
      endpoints: [{ path: '/sales', method: 'POST', tool: buildTool() }],
    })
    const answer = await fetch(`${gateway.url}/mcp/sales`, { method: 'POST' })
    expect([answer.status, await answer.text()]).toEqual([200, 'ok'])
    expect(await list()).toEqual(['sales_orders'])
    expect((await send('tools/list', {}, { path: '/mcp/sales' })).text).toBe('ok')
  })
})

describe('what an agent may use', () => {
  it('is what its roles have access to, and what its token is not kept from', async () => {
    const { list } = await startAgentGateway({
      endpoints: two,
      snapshot: {
        tokens: [
          buildToken({ role_ids: [2] }),
          buildToken({ id: 2, digest: digestOf(adminToken), role_ids: [1] }),
          buildToken({ id: 3, digest: digestOf(limitedToken), limits }),
        ],
      },
    })
    expect(await list()).toEqual(['sales_new', 'sales_orders'])
    expect(await list({ token: adminToken })).toEqual(['sales_new', 'sales_orders'])
    expect(await list({ token: limitedToken })).toEqual(['sales_orders'])
  })

  it('is nothing else: a call of another tool is an unknown tool, although the endpoint is open to all', async () => {
    const { list, send, upstream, gateway } = await startAgentGateway({
      endpoints: two,
      snapshot: { access: [{ role_id: 2, endpoint_ids: [2] }] },
    })
    expect(await list()).toEqual(['sales_new'])
    for (const name of ['sales_orders', 'nothing', '__proto__', 7]) {
      const { status, body } = await send('tools/call', { name })
      expect([status, body.error?.code]).toEqual([200, -32_602])
      expect(body.error?.message).toMatch(/^Unknown tool/)
    }
    expect(upstream.requests).toHaveLength(0)
    expect((await fetch(`${gateway.url}/sales/orders`)).status).toBe(200)
  })

  it('is not shown while it is switched off, and a call says why', async () => {
    const { list, call, upstream } = await startAgentGateway({
      endpoints: [{ is_active: false, tool: buildTool() }],
    })
    expect(await list()).toEqual([])
    const result = await call('sales_orders')
    expect(result.isError).toBe(true)
    expect(JSON.stringify(result)).toContain('config.endpoint_disabled')
    expect(upstream.requests).toHaveLength(0)
  })

  it('is not shown from an address from where its role does not count, and a call says why', async () => {
    const { list, call, upstream } = await startAgentGateway({
      snapshot: { access: [{ role_id: 2, endpoint_ids: [1], addresses: ['10.0.0.0/8'] }] },
      options: { trustedProxies: ['127.0.0.1/32', '::1/128'] },
    })
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
    expect(await list(from('10.1.2.3'))).toHaveLength(1)
    expect(await list(from('192.0.2.1'))).toEqual([])
    const refused = await call(buildTool().name, {}, from('192.0.2.1'))
    expect(refused.isError).toBe(true)
    expect(textsOf(refused)).toContain('client.address_denied')
    expect(upstream.requests).toHaveLength(0)
  })

  it('is no endpoint of an API that takes signed requests alone', async () => {
    const policy = { ...noTrafficPolicy, signature: { window_seconds: 60 } }
    const { list } = await startAgentGateway({ api: { policy } })
    expect(await list()).toEqual([])
  })

  it('follows each change of the configuration', async () => {
    const { gateway, snapshot, list, send } = await startAgentGateway({ endpoints: two })
    let base = { revision: snapshot.revision, mark: snapshot.mark }
    const change = (parts: Partial<SnapshotChanges>) => {
      const next = { revision: base.revision + 1, mark: `after ${base.revision}` }
      const changed = gateway.change({ ...noChanges, ...parts, base, ...next })
      expect(changed).toMatchObject({ ok: true })
      base = next
    }
    change({ removed_endpoints: [1] })
    expect(await list()).toEqual(['sales_new'])
    const [api] = snapshot.apis
    change({ apis: [{ ...api!, offer_to_agents: false }] })
    expect((await send('tools/list')).status).toBe(404)
    change({ apis: [api!], endpoints: [snapshot.endpoints[0]!] })
    expect(await list()).toEqual(['sales_new', 'sales_orders'])
    const renamed = buildTool({ name: 'sales_other' })
    change({ endpoints: [{ ...snapshot.endpoints[0]!, tool: renamed }] })
    expect(await list()).toEqual(['sales_new', 'sales_other'])
    change({ access: [{ role_id: 2, endpoint_ids: [2] }] })
    expect(await list()).toEqual(['sales_new'])
  })
})

const noChanges: Omit<SnapshotChanges, 'base' | 'revision' | 'mark'> = {
  format: 1,
  built_at: '2026-11-21T00:00:00.000Z',
  apis: [],
  removed_apis: [],
  endpoints: [],
  removed_endpoints: [],
  tokens: [],
  removed_tokens: [],
  issuers: [],
  removed_issuers: [],
  access: [],
  removed_roles: [],
  super_admin_role_id: 1,
}

it('a look as a role lists its tools, and calls none', async () => {
  const { send, upstream } = await startAgentGateway({ endpoints: two })
  const asRole = (id: string, roleId: number) => {
    const lent = { roleId, method: 'POST', target: '/mcp', untilMs: Date.now() + 5_000 }
    return { token: null, headers: { [traceHeaderName]: traceHeader(traceSecret, id, lent) } }
  }
  const listed = await send('tools/list', {}, asRole('e0_one', 2))
  expect(listed.body.result?.tools).toHaveLength(2)
  expect((await send('tools/list', {}, asRole('e0_two', 9))).body.result?.tools).toEqual([])
  const called = await send('tools/call', { name: 'sales_orders' }, asRole('e0_three', 2))
  expect(called.body.result?.isError).toBe(true)
  expect(upstream.sockets).toHaveLength(0)
})

describe('what a browser may do', () => {
  const cors = {
    origins: ['https://agent.example'],
    methods: ['POST'],
    headers: ['authorization', 'content-type'],
    exposed_headers: [],
    max_age_seconds: 60,
    allow_credentials: false,
  }
  const origin = (value: string) => ({ headers: { origin: value } })

  it('is nothing where no API allows its page', async () => {
    const { send } = await startAgentGateway()
    for (const path of ['/mcp', '/mcp/sales']) {
      const answer = await send('tools/list', {}, { path, ...origin('https://agent.example') })
      expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('client.origin')])
    }
  })

  it('is what the CORS of the API allows, at that API', async () => {
    const { compile } = createTrafficPolicies({})
    const { gateway, send } = await startAgentGateway({
      api: { policy: { ...noTrafficPolicy, cors } },
      options: { compilePolicy: compile },
    })
    const at = { path: '/mcp/sales' }
    const allowed = await send('tools/list', {}, { ...at, ...origin('https://agent.example') })
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([
      200,
      'https://agent.example',
    ])
    const call = { name: 'sales_orders', arguments: {} }
    const called = await send('tools/call', call, { ...at, ...origin('https://agent.example') })
    expect(called.headers.get('access-control-allow-origin')).toBe('https://agent.example')
    expect((await send('tools/list', {}, { ...at, ...origin('https://x.example') })).status).toBe(
      403,
    )
    expect((await send('tools/list', {}, origin('https://agent.example'))).status).toBe(403)
    const preflight = await fetch(`${gateway.url}/mcp/sales`, {
      method: 'OPTIONS',
      headers: { origin: 'https://agent.example', 'access-control-request-method': 'POST' },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'POST',
    ])
  })
})

it.each(['GET', 'DELETE', 'PUT'])('%s is answered 405', async (method) => {
  const { post } = await startAgentGateway()
  const answer = await post('', { method })
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
})

it('a token that has expired or was revoked opens nothing', async () => {
  const expired = buildToken({ expires_at: '2020-01-01T00:00:00.000Z' })
  const { send, gateway, snapshot } = await startAgentGateway({ snapshot: { tokens: [expired] } })
  expect((await send('tools/list')).status).toBe(401)
  gateway.swap({ ...snapshot, revision: 2, tokens: [buildToken()] })
  expect((await send('tools/list', {}, { token: clientToken })).status).toBe(200)
  gateway.swap({ ...snapshot, revision: 3, tokens: [] })
  expect((await send('tools/list')).status).toBe(401)
})
