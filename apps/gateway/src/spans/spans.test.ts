import { noTrafficPolicy } from '@gatehouse/contract/gateway'
import type { TrafficPolicy } from '@gatehouse/contract/gateway'
import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import type { Answering, RecordedRequest } from '@gatehouse/http1/testing/recording-upstream'
import { readTraceparent, type OtlpSpan, type SpanSettings } from '@gatehouse/logging/spans'
import { expect, it } from 'vitest'
import { createTrafficPolicies } from '../policy/traffic-policies.ts'
import { buildApi, buildSnapshot } from '../testing/build-snapshot.ts'
import { startGateway } from '../testing/test-gateway.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const callerId = 'b7ad6b7169203331'
const header = (flags = '01') => `00-${traceId}-${callerId}-${flags}`

interface Place {
  answer?: Answering
  policy?: Partial<TrafficPolicy>
  settings?: Partial<SpanSettings>
  internalNetworks?: string[]
  collectorStatus?: number
}

async function place(options: Place = {}) {
  const { answer, policy, settings = {}, internalNetworks, collectorStatus = 200 } = options
  const upstream = await startRecordingUpstream(answer)
  const collector = await startRecordingUpstream((socket) => {
    socket.write(`HTTP/1.1 ${collectorStatus} X\r\nContent-Length: 2\r\n\r\n{}`)
  })
  const gateway = await startGateway(
    buildSnapshot({
      apis: [
        buildApi({
          base_url: upstream.url,
          ...(policy && { policy: { ...noTrafficPolicy, ...policy } }),
        }),
      ],
    }),
    {
      compilePolicy: createTrafficPolicies().compile,
      spans: {
        url: `${collector.url}/v1/traces`,
        headers: { 'x-key': 'k' },
        serviceName: 'shop',
        ratio: 1,
        ...settings,
      },
      ...(internalNetworks && { internalNetworks }),
    },
  )
  const ask = async (headers: Record<string, string> = {}, path = '/sales/orders?secret=1') => {
    const answer = await fetch(`${gateway.url}${path}`, { headers })
    await answer.arrayBuffer()
    const got = new Map(upstream.requests.at(-1)?.headers)
    return { status: answer.status, sent: readTraceparent(got.get('traceparent') ?? ''), got }
  }
  const spans = () => collector.requests.flatMap(spansOf)
  return { gateway, upstream, collector, ask, spans }
}

const spansOf = ({ body }: RecordedRequest): OtlpSpan[] => {
  const { resourceSpans } = JSON.parse(body) as {
    resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[]
  }
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
}

const valuesOf = ({ attributes }: OtlpSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

it('a request and its call are spans of the caller’s trace, and the upstream is told the call', async () => {
  const { ask, spans, collector } = await place()
  const { sent, got } = await ask({ traceparent: header(), tracestate: 'a=1' })
  await expect.poll(spans).toHaveLength(2)
  const [request, call] = spans() as [OtlpSpan, OtlpSpan]
  expect(request).toMatchObject({ traceId, parentSpanId: callerId, name: 'GET /sales/orders' })
  expect(call).toMatchObject({ traceId, parentSpanId: request.spanId })
  expect(sent).toEqual({ traceId, spanId: call.spanId, isSampled: true })
  expect(got.get('tracestate')).toBe('a=1')
  expect(valuesOf(request)).toMatchObject({
    'http.request.method': 'GET',
    'http.route': '/sales/orders',
    'url.path': '/sales/orders',
    'http.response.status_code': '200',
  })
  expect(BigInt(request.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(call.endTimeUnixNano))
  expect(BigInt(call.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(request.startTimeUnixNano))
  const [post] = collector.requests
  expect(new Map(post?.headers).get('x-key')).toBe('k')
  expect(post?.body).toContain('"service.name","value":{"stringValue":"shop"}')
  expect(post?.body).not.toContain('secret')
})

it('each try of a call is a span of its own, and the upstream is told which', async () => {
  const answers = ['503 Busy', '200 OK']
  const { ask, spans, upstream } = await place({
    policy: { retries: { attempts: 1, backoff_ms: 1 } },
    answer: (socket) =>
      socket.write(`HTTP/1.1 ${answers.shift() ?? ''}\r\nContent-Length: 0\r\n\r\n`),
  })
  expect((await ask()).status).toBe(200)
  await expect.poll(spans).toHaveLength(3)
  const [, ...calls] = spans()
  expect(calls.map((call) => valuesOf(call)['http.response.status_code'])).toEqual(['503', '200'])
  const told = upstream.requests.map(({ headers }) =>
    readTraceparent(new Map(headers).get('traceparent') ?? ''),
  )
  expect(told.map((each) => each?.spanId)).toEqual(calls.map(({ spanId }) => spanId))
})

it('a refused request is a span with its code, and has no call', async () => {
  const { ask, spans } = await place()
  await ask({}, '/nowhere')
  await expect.poll(spans).toHaveLength(1)
  const [span] = spans()
  expect(span?.parentSpanId).toBeUndefined()
  expect(valuesOf(span!)).toMatchObject({ 'gatehouse.code': 'client.not_found' })
})

it('a caller inside decides whether its trace is sampled; one outside does not', async () => {
  const inside = await place()
  expect((await inside.ask({ traceparent: header('00') })).sent?.isSampled).toBe(false)
  const outside = await place({ settings: { ratio: 0 }, internalNetworks: [] })
  const { sent } = await outside.ask({ traceparent: header('01') })
  expect(sent).toMatchObject({ traceId, isSampled: false })
  await outside.gateway.close()
  await inside.gateway.close()
  expect([...inside.spans(), ...outside.spans()]).toEqual([])
})

it.each([
  ['another shape', 'nonsense'],
  ['no trace', `00-${'0'.repeat(32)}-${callerId}-01`],
  ['no span', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['capital letters', header().toUpperCase()],
  ['the version that is none', header().replace('00-', 'ff-')],
  ['more than its version has', `${header()}-more`],
])('a traceparent with %s begins another trace, and its tracestate is dropped', async (_, text) => {
  const { ask } = await place()
  const { sent, got } = await ask({ traceparent: text, tracestate: 'a=1' })
  expect(sent).not.toBeNull()
  expect(sent?.traceId).not.toBe(traceId)
  expect(got.has('tracestate')).toBe(false)
})

it('a later version is read as far as it is known', () => {
  expect(readTraceparent(`01-${traceId}-${callerId}-03-more`)).toEqual({
    traceId,
    spanId: callerId,
    isSampled: true,
  })
})

it('what is under way when the worker ends is sent first', async () => {
  const { ask, gateway, spans } = await place()
  await ask()
  await gateway.stop()
  expect(spans()).toHaveLength(2)
})

it('a collector that refuses or is gone costs no request anything', async () => {
  const refusing = await place({ collectorStatus: 503 })
  expect((await refusing.ask()).status).toBe(200)
  await expect.poll(() => refusing.collector.requests.length).toBe(1)
  const gone = await place({ settings: { url: 'http://127.0.0.1:9/v1/traces' } })
  expect((await gone.ask()).status).toBe(200)
  await gone.gateway.close()
})

it('without a collector the context goes on as it came', async () => {
  const upstream = await startRecordingUpstream()
  const { url } = await startGateway(
    buildSnapshot({ apis: [buildApi({ base_url: upstream.url })] }),
  )
  await fetch(`${url}/sales/orders`, { headers: { traceparent: header(), tracestate: 'a=1' } })
  const got = new Map(upstream.requests[0]?.headers)
  expect([got.get('traceparent'), got.get('tracestate')]).toEqual([header(), 'a=1'])
})
