import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { describe, expect, it } from 'vitest'
import {
  adminToken,
  bearerCredential,
  buildApi,
  buildEndpoint,
  buildSnapshot,
  buildToken,
  clientToken,
  digestOf,
} from '../testing/build-snapshot.ts'
import { startGateway } from '../testing/test-gateway.ts'
import type { GatewayOptions } from '../gateway.ts'
import type { SnapshotApi, SnapshotEndpoint } from '@gatehouse/contract/gateway'

async function start(
  api: Partial<SnapshotApi> = {},
  endpoints: Partial<SnapshotEndpoint>[] = [{}],
  options: Partial<GatewayOptions> = {},
) {
  const upstream = await startRecordingUpstream()
  const gateway = await startGateway(
    buildSnapshot({
      apis: [buildApi({ base_url: `${upstream.url}/base/`, ...api })],
      endpoints: endpoints.map((each, at) => buildEndpoint({ id: at + 1, ...each })),
      tokens: [
        buildToken(),
        buildToken({ id: 2, digest: digestOf(adminToken), role_ids: [1] }),
        buildToken({ id: 3, digest: digestOf(expired), expires_at: '2020-01-01T00:00:00.000Z' }),
        buildToken({ id: 4, digest: digestOf(withoutAccess), role_ids: [9] }),
      ],
    }),
    options,
  )
  const send = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(gateway.url + path, init)
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  return { upstream, gateway, send }
}

const expired = `ghp_${'e'.repeat(49)}`
const withoutAccess = `ghp_${'s'.repeat(49)}`
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const codeOf = ({ text }: { text: string }) => (JSON.parse(text) as { code: string }).code

describe('match', () => {
  it('distinguishes an unknown path from a method that is not allowed', async () => {
    const { send } = await start({}, [{}, { method: 'PUT' }, { method: 'POST', path: '/other' }])
    const missing = await send('/sales/nothing')
    expect([missing.status, codeOf(missing)]).toEqual([404, 'client.not_found'])
    const wrong = await send('/sales/orders', { method: 'POST' })
    expect([wrong.status, codeOf(wrong)]).toEqual([405, 'client.method'])
    expect(wrong.headers.get('allow')).toBe('GET, HEAD, PUT')
    expect((await send('/sales/orders', { method: 'DELETE' })).status).toBe(405)
  })

  it('compares segment by segment, trailing slashes included, after decoding once', async () => {
    const { send, upstream } = await start({}, [
      { path: '/a b'.replace(' ', '+') },
      { path: '/x/{id}/y' },
    ])
    expect((await send('/sales/a+b')).status).toBe(200)
    expect((await send('/sales/a+b/')).status).toBe(404)
    expect((await send('/Sales/a+b')).status).toBe(404)
    expect((await send('/sales/%61+b?q=%2f%20')).status).toBe(200)
    expect((await send('/sales/x/%252f/y')).status).toBe(200)
    expect((await send('/sales/x//y')).status).toBe(400)
    expect(upstream.requests.map(({ requestLine }) => requestLine)).toEqual([
      'GET /base/a+b HTTP/1.1',
      'GET /base/%61+b?q=%2f%20 HTTP/1.1',
      'GET /base/x/%252f/y HTTP/1.1',
    ])
  })

  it('HEAD follows GET and has no body', async () => {
    const { send, upstream } = await start()
    const answer = await send('/sales/orders', { method: 'HEAD' })
    expect([answer.status, answer.text, answer.headers.get('content-length')]).toEqual([
      200,
      '',
      '2',
    ])
    expect(upstream.requests[0]?.requestLine).toBe('HEAD /base/orders HTTP/1.1')
  })

  it('answers /readyz with 503 while the database is silent for too long, and /healthz with 200', async () => {
    const { send, gateway } = await start({}, [{}], { staleAfterMs: 60_000, unheardMs: 60_001 })
    const seen = async (path: string) => {
      const { status, text } = await send(path)
      return [status, JSON.parse(text)]
    }
    expect(await seen('/readyz')).toEqual([503, { status: 'stale', revision: 1 }])
    expect(await seen('/healthz')).toEqual([200, { status: 'ok', revision: 1 }])
    gateway.heard()
    expect(await seen('/readyz')).toEqual([200, { status: 'ok', revision: 1 }])
  })

  it('answers /readyz with 503 before it stops, and serves everything else', async () => {
    const { send, gateway } = await start()
    gateway.leave()
    const { status, text } = await send('/readyz')
    expect([status, JSON.parse(text)]).toEqual([503, { status: 'stopping', revision: 1 }])
    const other = [await send('/healthz'), await send('/sales/orders')]
    expect(other.map((answer) => [answer.status, answer.headers.get('connection')])).toEqual([
      [200, 'keep-alive'],
      [200, 'keep-alive'],
    ])
  })

  it('answers /healthz with the revision', async () => {
    const { send } = await start()
    expect(JSON.parse((await send('/healthz')).text)).toEqual({ status: 'ok', revision: 1 })
  })
})

describe('authenticate and authorize', () => {
  it.each([
    ['no token', {}, 401, 'client.unauthenticated', 'Bearer realm="gateway"'],
    [
      'a token of another kind',
      { headers: { authorization: 'Basic YTpi' } },
      401,
      'client.token_invalid',
      'Bearer realm="gateway", error="invalid_token"',
    ],
    [
      'an unknown token',
      bearer(`ghp_${'u'.repeat(49)}`),
      401,
      'client.token_invalid',
      'Bearer realm="gateway", error="invalid_token"',
    ],
    [
      'an expired token',
      bearer(expired),
      401,
      'client.token_invalid',
      'Bearer realm="gateway", error="invalid_token"',
    ],
    ['a token without access', bearer(withoutAccess), 403, 'client.access_denied', null],
  ])('%s is refused before the upstream is contacted', async (_name, init, status, code, ask) => {
    const { send, upstream } = await start({ requires_token: true })
    const answer = await send('/sales/orders', init)
    expect([answer.status, codeOf(answer)]).toEqual([status, code])
    expect(answer.headers.get('www-authenticate')).toBe(ask)
    expect(upstream.sockets).toHaveLength(0)
  })

  it('lets roles with access and Super Admin in, and passes no token of ours on', async () => {
    const { send, upstream } = await start({}, [{ requires_token: true }, { path: '/open' }])
    expect((await send('/sales/orders', bearer(clientToken))).status).toBe(200)
    expect((await send('/sales/orders', bearer(adminToken))).status).toBe(200)
    expect(
      (await send('/sales/orders', { headers: { authorization: `bearer  ${clientToken}` } }))
        .status,
    ).toBe(200)
    expect((await send('/sales/open', bearer(clientToken))).status).toBe(200)
    expect(upstream.requests).toHaveLength(4)
    for (const { headers } of upstream.requests) {
      expect(headers.map(([name]) => name)).not.toContain('authorization')
    }
  })

  it('an open endpoint passes the client’s Authorization on, unless the API has a credential', async () => {
    const open = await start()
    await open.send('/sales/orders', { headers: { authorization: 'Basic YTpi' } })
    expect(open.upstream.requests[0]?.headers).toContainEqual(['authorization', 'Basic YTpi'])
    const own = await start({ credential: bearerCredential('secret') })
    await own.send('/sales/orders', { headers: { authorization: 'Basic YTpi' } })
    expect(own.upstream.requests[0]?.headers.filter(([name]) => name === 'authorization')).toEqual([
      ['authorization', 'Bearer secret'],
    ])
  })

  it('what is disabled says so only to those who may call it', async () => {
    const api = await start({ requires_token: true, is_active: false })
    expect((await api.send('/sales/orders')).status).toBe(401)
    const disabled = await api.send('/sales/orders', bearer(clientToken))
    expect([disabled.status, codeOf(disabled)]).toEqual([503, 'config.api_disabled'])
    const endpoint = await start({}, [{ is_active: false }])
    expect(codeOf(await endpoint.send('/sales/orders'))).toBe('config.endpoint_disabled')
  })

  it('an API that the control plane could not read is answered 503, to those who may call it', async () => {
    const { send } = await start(
      { requires_token: true, base_url: null, fault: 'upstream_token' },
      [{}, { path: '/fixed', custom_output: '"fixed"' }],
    )
    expect((await send('/sales/orders')).status).toBe(401)
    const refused = await send('/sales/orders', bearer(clientToken))
    expect([refused.status, codeOf(refused)]).toEqual([503, 'config.api_unreadable'])
    expect(codeOf(await send('/sales/fixed', bearer(adminToken)))).toBe('config.api_unreadable')
  })
})

describe('internal networks', () => {
  it('decides on the peer, whatever it claims', async () => {
    const { send } = await start({ is_internal: true }, [{}], { internalNetworks: ['10.0.0.0/8'] })
    const answer = await send('/sales/orders', { headers: { 'x-forwarded-for': '10.1.1.1' } })
    expect([answer.status, codeOf(answer)]).toEqual([403, 'client.internal_only'])
  })

  it('behind a trusted proxy decides on the last address that is not a proxy’s', async () => {
    const options = {
      internalNetworks: ['10.0.0.0/8'],
      trustedProxies: ['127.0.0.1', '192.0.2.0/24'],
    }
    const { send, upstream } = await start({ is_internal: true }, [{}], options)
    const from = (list: string) => send('/sales/orders', { headers: { 'x-forwarded-for': list } })
    expect((await from('10.1.1.1')).status).toBe(200)
    expect((await from('10.1.1.1, 192.0.2.7')).status).toBe(200)
    expect((await from('10.1.1.1, 203.0.113.9')).status).toBe(403)
    expect((await from('rubbish')).status).toBe(403)
    expect(upstream.requests[1]?.headers).toContainEqual([
      'x-forwarded-for',
      '10.1.1.1, 192.0.2.7, 127.0.0.1',
    ])
  })
})

it('every answer has a request id, errors in their body too', async () => {
  const { send } = await start()
  const ids = await Promise.all(
    ['/sales/orders', '/nothing', '/healthz', '/a//b'].map(async (path) => {
      const { headers, text } = await send(path)
      const id = headers.get('x-request-id')
      if (text.includes('request_id')) expect(JSON.parse(text)).toMatchObject({ request_id: id })
      return id
    }),
  )
  expect(new Set(ids).size).toBe(4)
  expect(ids.every((id) => /^[\w-]{10,}$/.test(id ?? ''))).toBe(true)
})

it('refuses literal addresses that are never called, and says so', async () => {
  const { send } = await start({ base_url: 'http://169.254.169.254/' })
  expect(codeOf(await send('/sales/orders'))).toBe('upstream.blocked_address')
})
