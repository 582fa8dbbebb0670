import { readTraceparent } from '@gatehouse/logging/spans'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createPeerUpstream, createRunPeer } from '../../../../test/servers/run-peer.ts'
import { json, runOf, startRunServer, type RunServer } from '../../../../test/servers/run-server.ts'
import { startCollector, treeOf, valuesOf } from '../../../../test/servers/span-collector.ts'
import { leaseMs } from '../../../kernel/leases/leases.ts'
import { RunSpans } from './run-spans.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const callerId = 'b7ad6b7169203331'
const header = (flags = '01') => ({ traceparent: `00-${traceId}-${callerId}-${flags}` })

let collectorStatus = 200
let collector: Awaited<ReturnType<typeof startCollector>>
let app: RunServer
const peerUpstream = createPeerUpstream()
beforeAll(async () => {
  collector = await startCollector(() => collectorStatus)
  app = await startRunServer(collector.environment)
})
afterAll(async () => {
  await app.close()
  await collector.close()
  await peerUpstream.close()
})
beforeEach(async () => {
  collectorStatus = 200
  app.answer(json(200, { id: 7 }))
  await app.server.runSpans?.flush()
  collector.received.length = 0
  app.upstream.received.length = 0
})

const flushed = async () => {
  await app.server.runSpans?.flush()
  return collector.spans()
}
const told = () =>
  app.upstream.received.map(({ headers }) => readTraceparent(String(headers.traceparent)))
let content = 0
const send = (endpoints: number[], headers: Record<string, string> = {}) =>
  app.post(
    '/api/tax',
    Object.fromEntries(
      endpoints.map((end_point, index) => [
        `endpoint_${index + 1}`,
        { end_point, body: `{"n":${++content},"password":"hidden-1"}` },
      ]),
    ),
    app.token,
    headers,
  )

it('a run, its steps and their attempts are spans of the caller’s trace, and upstreams are told the attempt', async () => {
  const first = await app.endpoint({ path: '/v1/send/{n}' })
  const second = await app.endpoint({ path: '/v1/second' })
  const { id } = runOf(await send([first, second], header()))
  const spans = await flushed()
  expect(treeOf(spans)).toEqual([
    'run tax',
    expect.stringMatching(/^run tax > step 1 Step \d+$/),
    expect.stringMatching(/^run tax > step 1 Step \d+ > POST \/v1\/send\/\{n\}$/),
    expect.stringMatching(/^run tax > step 2 Step \d+$/),
    expect.stringMatching(/^run tax > step 2 Step \d+ > POST \/v1\/second$/),
  ])
  const [run, , attempt, , other] = spans
  expect(run).toMatchObject({ traceId, parentSpanId: callerId })
  expect(valuesOf(run!)).toMatchObject({
    'gatehouse.run_id': String(id),
    'gatehouse.run_state': 'succeeded',
    'gatehouse.run_kind': 'tax',
  })
  expect(valuesOf(attempt!)).toMatchObject({
    'http.request.method': 'POST',
    'http.response.status_code': '200',
    'server.address': '127.0.0.1',
    'gatehouse.outcome': 'ok',
  })
  expect(told()).toEqual([
    { traceId, spanId: attempt?.spanId, isSampled: true },
    { traceId, spanId: other?.spanId, isSampled: true },
  ])
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length)
  expect(JSON.stringify(collector.received.map(({ body }) => body))).not.toContain('hidden-1')
  expect((await app.show(id)).trace_id).toBe(traceId)
  const found = await app.server.send('GET', `/api/runs?search=${traceId}`, { token: app.token })
  expect(found.body).toMatchObject([{ data: [{ id }] }])
})

it('without a caller’s trace each run begins one of its own', async () => {
  const post = await app.endpoint()
  const ids = [runOf(await send([post])).id, runOf(await send([post])).id]
  const runs = (await flushed()).filter(({ name }) => name === 'run tax')
  expect(runs.map(({ parentSpanId }) => parentSpanId)).toEqual([undefined, undefined])
  const shown = await Promise.all(ids.map((id) => app.show(id)))
  expect(shown.map(({ trace_id }) => trace_id)).toEqual(runs.map((run) => run.traceId))
  expect(runs[0]?.traceId).not.toBe(runs[1]?.traceId)
})

it('a failed run says so, and each time that it is carried out is a span in the same trace', async () => {
  const post = await app.endpoint()
  app.answer(json(429, { error: 'no' }))
  const failed = await send([post], header())
  const id = (failed.body as { run: { id: number } }).run.id
  const [run, step, attempt] = await flushed()
  expect(run?.status?.code).toBe(2)
  expect(valuesOf(run!)).toMatchObject({ 'error.type': 'not_started' })
  expect(valuesOf(attempt!)).toMatchObject({ 'http.response.status_code': '429' })
  app.answer(json(200, {}))
  app.server.time.now = new Date(app.server.time.now.getTime() + 5_000)
  const resumed = await app.post(`/api/runs/${id}/resume`, {})
  expect(resumed.status, resumed.text).toBe(200)
  const all = await flushed()
  const [, , , again, ...rest] = all
  expect(again).toMatchObject({ traceId, parentSpanId: callerId, name: 'run tax' })
  expect(valuesOf(again!)).toMatchObject({ 'gatehouse.run_state': 'succeeded' })
  expect(rest.at(-1)?.parentSpanId).not.toBe(step?.spanId)
  expect(new Set(all.map(({ spanId }) => spanId)).size).toBe(6)
})

it('a caller inside decides whether its trace is sampled; the upstream is told so, and no span is sent', async () => {
  const post = await app.endpoint()
  const { id } = runOf(await send([post], header('00')))
  expect(await flushed()).toEqual([])
  expect(told()).toMatchObject([{ traceId, isSampled: false }])
  expect((await app.show(id)).trace_id).toBe(traceId)
})

it('a header of that name that the API has set is sent as it is', async () => {
  const api = await app.createApi({
    name: 'Own context',
    static_headers: [{ name: 'Traceparent', value: 'mine' }],
  })
  await send([await app.endpoint({}, api)])
  expect(app.upstream.received.map(({ headers }) => headers.traceparent)).toEqual(['mine'])
})

it('a collector that refuses or is gone fails no run, and what it lost is counted', async () => {
  const post = await app.endpoint()
  collectorStatus = 503
  expect((await send([post])).status).toBe(200)
  await flushed()
  expect(app.server.runSpans?.lost).toBe(3)
  const metrics = await app.server.send('GET', '/metrics')
  expect(metrics.text).toContain('run_spans_lost_total 3')
  expect(app.server.logLines.join()).toContain('the collector answered 503')
})

it('more runs than may wait are dropped and counted, and none of them waits', async () => {
  const spans = buildSpans()
  const peer = createRunPeer(app.server, peerUpstream, 'many', undefined, {}, undefined, spans)
  const started = await peer.start([{ endpointId: await app.endpoint(), body: '{"many":1}' }])
  if (started.what !== 'began') throw new Error('It was not begun.')
  await peer.engine.carryOut(started.live)
  for (let at = 0; at < 8_194; at++) spans.ended(started.live)
  expect(spans.lost).toBe(3)
})

it('the spans of a server that died are made once, by the server that closes its run', async () => {
  const post = await app.endpoint({ path: '/v1/died' })
  const [dying, other, third] = ['dying', 'other', 'third'].map((owner) =>
    createRunPeer(app.server, peerUpstream, owner, undefined, {}, undefined, spansOf(owner)),
  )
  const started = await dying!.start([{ endpointId: post, body: '{"died":1}' }])
  if (started.what !== 'began') throw new Error('It was not begun.')
  const { live } = started
  app.server.time.now = new Date(app.server.time.now.getTime() + leaseMs + 1)
  await Promise.all([other!, third!].map(({ ledger }) => ledger.recover({ own: false })))
  // It was only asleep, and its answer comes too late to count.
  await dying!.engine.carryOut(live)
  await Promise.all(Object.values(peerSpans).map((each) => each.flush()))
  const spans = collector.spans()
  expect(treeOf(spans)).toEqual([
    'run tax',
    expect.stringMatching(/^run tax > step 1/),
    expect.stringMatching(/^run tax > step 1 .* > POST \/v1\/died$/),
  ])
  expect(valuesOf(spans[0]!)).toMatchObject({ 'gatehouse.run_state': 'unknown' })
  expect(valuesOf(spans[2]!)).toMatchObject({ 'gatehouse.outcome': 'crash' })
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([live.trace?.traceId]))
  const lasted = spans.map(
    ({ startTimeUnixNano: from, endTimeUnixNano: to }) => (BigInt(to) - BigInt(from)) / 1_000_000n,
  )
  expect(lasted).toEqual([leaseMs + 1, leaseMs + 1, leaseMs + 1].map(BigInt))
})

const peerSpans: Record<string, RunSpans> = {}
const spansOf = (owner: string) => (peerSpans[owner] = buildSpans())

function buildSpans() {
  return new RunSpans({
    settings: { url: `${collector.url}/v1/traces`, headers: {}, serviceName: 'peer', ratio: 1 },
    internalNetworks: [],
    ledger: app.server.stores.runHistory,
    clock: { now: () => app.server.time.now },
    log: pino({ level: 'silent' }),
  })
}
