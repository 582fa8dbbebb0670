import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import {
  bearerCredential,
  buildApi,
  buildEndpoint,
  buildSnapshot,
  clientToken,
} from '../testing/build-snapshot.ts'
import { startGateway, traceSecret } from '../testing/test-gateway.ts'
import { traceHeader, traceHeaderName } from '../trace/trace-signature.ts'
import { latencyBucketsMs } from '../messages/report-messages.ts'
import type { TraceMessage } from '../messages/report-messages.ts'

async function start() {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-log-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const upstream = await startRecordingUpstream()
  const traces: TraceMessage[] = []
  const gateway = await startGateway(
    buildSnapshot({
      apis: [buildApi({ base_url: upstream.url, credential: bearerCredential('upstream-secret') })],
      endpoints: [
        buildEndpoint({ requires_token: true }),
        buildEndpoint({ id: 2, path: '/by/{key}' }),
      ],
    }),
    { dataDir, onTrace: (trace) => traces.push(trace) },
  )
  const send = (path: string, headers: Record<string, string> = {}) =>
    fetch(gateway.url + path, { headers: { authorization: `Bearer ${clientToken}`, ...headers } })
  async function logged(): Promise<Record<string, unknown>[]> {
    await gateway.close()
    const folder = join(dataDir, 'logs', 'gateway')
    const [file = ''] = readdirSync(folder)
    expect(file).toMatch(/^gateway-1-\d{4}-\d\d-\d\d\.log$/)
    const lines = readFileSync(join(folder, file), 'utf8').trim().split('\n')
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  }
  return { gateway, send, logged, traces }
}

it('each request leaves one line of allow-listed fields, without query and secrets', async () => {
  const { send, logged } = await start()
  const answer = await send('/sales/orders?api_key=hidden')
  await send(`/sales/by/${clientToken}?password=hidden`)
  await send('/sales/"quoted"'.replaceAll('"', '%22'))
  const [first, second, third] = await logged()
  expect(first).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    context: 'gateway',
    request_id: answer.headers.get('x-request-id'),
    method: 'GET',
    path: '/sales/orders',
    endpoint_id: 1,
    api_id: 1,
    status: 200,
    duration_ms: expect.any(Number),
    upstream_ms: expect.any(Number),
    upstream_status: 200,
    bytes_in: 0,
    bytes_out: 2,
    client: '127.0.0.1',
    token_id: 1,
    user_id: 4,
  })
  expect(Math.abs(Date.now() - Date.parse(String(first?.['time'])))).toBeLessThan(60_000)
  expect(second).toMatchObject({ path: '/sales/by/[token]', endpoint_id: 2 })
  expect(third).toMatchObject({ status: 404, code: 'client.not_found', endpoint_id: null })
  expect(JSON.stringify([first, second, third])).not.toContain('hidden')
})

it('counts by endpoint and status, once', async () => {
  const { send, gateway } = await start()
  for (let times = 0; times < 3; times++) await (await send('/sales/orders')).text()
  await (await send('/sales/nothing')).text()
  await (await send('/sales/orders', { authorization: 'Bearer x' })).text()
  const { traffic, codes, token_uses, in_flight, connections, rss_bytes } = gateway.report()
  expect(traffic.map((each) => [each.endpoint_id, each.status, each.requests])).toEqual([
    [1, 200, 3],
    [0, 404, 1],
    [1, 401, 1],
  ])
  const [ok] = traffic
  expect(ok?.bytes_out).toBe(6)
  expect(ok?.duration_ms).toBeGreaterThanOrEqual(ok?.upstream_ms ?? Infinity)
  expect(ok?.buckets).toHaveLength(latencyBucketsMs.length + 1)
  expect(ok?.buckets.reduce((sum, each) => sum + each, 0)).toBe(3)
  expect(codes).toEqual({ 'client.not_found': 1, 'client.token_invalid': 1 })
  expect(token_uses).toEqual([[1, 3]])
  expect(in_flight).toBe(0)
  expect(connections).toBeGreaterThan(0)
  expect(rss_bytes).toBeGreaterThan(0)
  expect(gateway.report().traffic).toEqual([])
})

it('a request with a signed trace header reports what it went through, secrets masked', async () => {
  const { send, traces } = await start()
  const header = traceHeader(traceSecret, 'e1_t1')
  const answer = await send('/sales/orders?a=1', { [traceHeaderName]: header, cookie: 'session=1' })
  const [trace] = traces
  expect(trace).toMatchObject({
    id: 'e1_t1',
    request_id: answer.headers.get('x-request-id'),
    status: 200,
    revision: 1,
  })
  expect(trace?.stages.map(({ name, verdict }) => `${name} ${verdict}`)).toEqual([
    'guard passed',
    'match passed',
    'authenticate passed',
    'authorize passed',
    'policy passed',
    'validate passed',
    'transform passed',
    'output passed',
    'release passed',
    'procedure passed',
    'forward answered',
  ])
  expect(trace?.stages.at(-1)?.details).toMatchObject({
    request: { method: 'GET', url: expect.stringMatching(/\/orders\?a=1$/) },
    answer: { status: 200 },
  })
  const text = JSON.stringify(trace)
  expect(text).not.toContain('upstream-secret')
  expect(text).not.toContain(clientToken)
  expect(text).not.toContain('session=1')
})

it('a refused request is traced up to its refusal', async () => {
  const { send, traces } = await start()
  const header = traceHeader(traceSecret, 'e1_t2')
  await send('/sales/orders', { [traceHeaderName]: header, authorization: 'Bearer x' })
  expect(traces[0]?.stages.at(-1)).toMatchObject({
    name: 'authenticate',
    verdict: 'refused',
    code: 'client.token_invalid',
  })
})

it('a trace for one endpoint is not led to another by a value in the path', async () => {
  const { send, traces } = await start()
  const header = traceHeader(traceSecret, 'e2_t4')
  const answer = await send('/sales/orders', { [traceHeaderName]: header })
  expect(answer.status).toBe(404)
  expect(traces[0]?.stages.at(-1)).toMatchObject({ name: 'match', verdict: 'refused' })
})

it.each(['t3', `t3.${'0'.repeat(64)}`, traceHeader('another secret', 't3')])(
  'no other request gets a trace: %s',
  async (header) => {
    const { send, traces } = await start()
    expect((await send('/sales/orders', { [traceHeaderName]: header })).status).toBe(200)
    expect(traces).toEqual([])
  },
)
