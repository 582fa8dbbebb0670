// Databases: SQLite.

import { latencyBucketsMs } from '@gatehouse/contract'
import { afterEach, describe, expect, it } from 'vitest'
import {
  buildServer,
  endpointOf,
  httpApi,
  type TestServer,
} from '../../../test/servers/build-server.ts'
import { recordingGateway } from '../../../test/servers/recording-gateway.ts'

const metricsToken = 'a-token-for-prometheus'
let server: TestServer
afterEach(() => server.close())

describe('GET /metrics', () => {
  it('counts requests by endpoint and status, with cumulative latencies in seconds', async () => {
    const gateway = recordingGateway()
    server = await buildServer({}, gateway.link)
    const create = async (url: string, body: unknown) =>
      ((await server.send('POST', url, { token: server.admin.token, body })).body as { id: number })
        .id
    const endpoint_id = await create(
      '/api/endpoint',
      endpointOf(await create('/api/apis', httpApi({ name: 'Q"uote' }))),
    )
    const traffic = {
      endpoint_id,
      status: 200,
      requests: 3,
      duration_ms: 1_500,
      bytes_in: 0,
      bytes_out: 0,
      buckets: [...latencyBucketsMs.map((bound) => (bound === 100 ? 2 : 0)), 1],
    }
    const cache = { hits: 2, misses: 1, saved_ms: 250 }
    gateway.report({ traffic: [{ ...traffic, cache }] })
    const web_sockets = { opened: 2, refused: 1, bytes_in: 30, bytes_out: 400 }
    gateway.report({ web_sockets })
    gateway.report({ web_sockets })
    gateway.report({ traffic: [traffic, { ...traffic, endpoint_id: 0, status: 404, requests: 1 }] })
    gateway.report({ traffic: [{ ...traffic, status: 304, cache }] })
    const { status, text, headers } = await server.send('GET', '/metrics')
    expect(status).toBe(200)
    expect(headers['content-type']).toContain('text/plain')
    const label = 'endpoint="GET /q-uote/posts/{id}",api="Q\\"uote",status="200"'
    const lines = text.split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        `gateway_requests_total{${label}} 6`,
        'gateway_requests_total{endpoint="",api="",status="404"} 1',
        `gateway_request_duration_seconds_bucket{${label},le="0.075"} 0`,
        `gateway_request_duration_seconds_bucket{${label},le="0.1"} 4`,
        `gateway_request_duration_seconds_bucket{${label},le="+Inf"} 6`,
        `gateway_request_duration_seconds_sum{${label}} 3`,
        `gateway_cache_requests_total{${label},result="hit"} 2`,
        `gateway_cache_requests_total{${label},result="miss"} 1`,
        `gateway_cache_saved_seconds_total{${label}} 0.25`,
        'gateway_in_flight_requests{worker="1"} 3',
        'gateway_worker_up{worker="1"} 1',
        'gateway_websockets_open{worker="1"} 1',
        'gateway_websockets_opened_total 4',
        'gateway_websockets_refused_total 2',
        'gateway_websocket_bytes_total{direction="in"} 60',
        'gateway_websocket_bytes_total{direction="out"} 800',
        'gateway_worker_restarts{worker="1"} 2',
        `gateway_published_revision ${gateway.published.at(-1)?.revision}`,
        'runs_unknown 0',
      ]),
    )
    expect(text).toContain('process_resident_memory_bytes')
    // The text format has all lines of a metric in one group.
    const cached = lines.flatMap((line) => /^gateway_cache_\w+(?=\{)/.exec(line)?.[0] ?? [])
    expect(cached).toHaveLength(6)
    expect(cached).toEqual(cached.toSorted())
  })

  it('opens to everyone who has the token, from any address', async () => {
    server = await buildServer({ METRICS_TOKEN: metricsToken })
    const get = (authorization?: string) =>
      server.send('GET', '/metrics', {
        headers: authorization ? { authorization } : {},
        remoteAddress: '192.0.2.7',
      })
    expect((await get(`Bearer ${metricsToken}`)).status).toBe(200)
    expect((await get()).status).toBe(401)
    expect((await get(`Bearer ${metricsToken}x`)).status).toBe(401)
    expect((await get('Bearer ')).status).toBe(401)
  })

  it('without a token opens to this machine only, and not through a proxy on it', async () => {
    server = await buildServer()
    const get = (remoteAddress: string, headers = {}) =>
      server.send('GET', '/metrics', { headers, remoteAddress })
    expect((await get('127.0.0.1')).status).toBe(200)
    expect((await get('::1')).status).toBe(200)
    expect((await get('192.0.2.7')).status).toBe(403)
    expect((await get('127.0.0.1', { 'x-forwarded-for': '192.0.2.7' })).status).toBe(403)
    expect((await get('127.0.0.1', { forwarded: 'for=192.0.2.7' })).status).toBe(403)
  })

  it.each([
    ['localhost', 200],
    ['LOCALHOST:3000', 200],
    ['127.0.0.1:3000', 200],
    ['127.8.8.8', 200],
    ['[::1]:3000', 200],
    ['192.0.2.9:3000', 200],
    ['evil.example.com', 403],
    ['evil.example.com:3000', 403],
    ['localhost.evil.example.com', 403],
    ['127.0.0.1.evil.example.com', 403],
    ['localhost@evil.example.com', 403],
    ['192.0.2.7', 403],
  ])(
    'without a token answers the Host %j with %d: a page’s own name may be made to lead here',
    async (host, status) => {
      server = await buildServer({ HOST: '192.0.2.9' })
      const answer = await server.send('GET', '/metrics', {
        headers: { host },
        remoteAddress: '127.0.0.1',
      })
      expect(answer.status).toBe(status)
    },
  )
})
