import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { noTrafficPolicy, type SnapshotEndpoint } from '@gatehouse/contract/gateway'
import { describe, expect, it } from 'vitest'
import type { TraceMessage } from '../messages/report-messages.ts'
import { createTrafficPolicies } from '../policy/traffic-policies.ts'
import {
  adminToken,
  buildApi,
  buildEndpoint,
  buildSnapshot,
  clientToken,
} from '../testing/build-snapshot.ts'
import { startGateway, traceSecret } from '../testing/test-gateway.ts'
import { traceHeader, traceHeaderName } from './trace-signature.ts'
import type { UnsavedEndpoint } from '../messages/unsaved-messages.ts'

// A definition that is not saved serves the one request that is signed for it.

const cached = { ...noTrafficPolicy, cache: { max_bytes: 1_000_000 } }

async function start() {
  let answered = 'ok'
  const upstream = await startRecordingUpstream((socket) =>
    socket.write(
      `HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: ${answered.length}\r\n\r\n${answered}`,
    ),
  )
  const answerWith = (text: string) => {
    answered = text
  }
  const traces: TraceMessage[] = []
  const gateway = await startGateway(
    buildSnapshot({
      apis: [buildApi({ base_url: upstream.url, policy: cached })],
      endpoints: [
        buildEndpoint({ requires_token: true }),
        buildEndpoint({ id: 2, path: '/orders/{id}' }),
        buildEndpoint({ id: 3, path: '/orders/new' }),
      ],
    }),
    { onTrace: (trace) => traces.push(trace), compilePolicy: createTrafficPolicies().compile },
  )
  const hold = (
    parts: Partial<SnapshotEndpoint>,
    { trace_id = 'u_1', replaces = null, api = null }: Partial<UnsavedEndpoint> = {},
  ) =>
    gateway.traces.unsaved.hold({
      trace_id,
      replaces,
      api,
      endpoint: { ...buildEndpoint(parts), id: parts.id ?? 0 },
    })
  const send = async (path: string, { id = 'u_1', token = '' } = {}) => {
    const headers = {
      [traceHeaderName]: traceHeader(traceSecret, id),
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    }
    const answer = await fetch(gateway.url + path, { headers })
    return { status: answer.status, text: await answer.text() }
  }
  return { gateway, upstream, answerWith, traces, hold, send }
}

describe('a definition that is not saved', () => {
  it('serves the request that is signed for it, once, and no other', async () => {
    const { gateway, upstream, traces, hold, send } = await start()
    hold({ path: '/invoices/{id}' })
    expect((await fetch(`${gateway.url}/sales/invoices/7`)).status).toBe(404)
    expect((await send('/sales/invoices/7')).status).toBe(200)
    expect(upstream.requests.map((each) => each.requestLine)).toEqual(['GET /invoices/7 HTTP/1.1'])
    expect(traces[0]?.stages[1]).toMatchObject({
      name: 'match',
      details: { is_unsaved: true, endpoint_id: null, params: { id: '7' } },
    })
    expect((await send('/sales/invoices/7')).status).toBe(404)
    expect((await fetch(`${gateway.url}/sales/invoices/7`)).status).toBe(404)
  })

  it('takes the place of the saved one for that request alone', async () => {
    const { gateway, hold, send } = await start()
    const change = { id: 3, path: '/orders/new', custom_output: 'soon' }
    hold(change, { replaces: 3 })
    expect(await send('/sales/orders/new')).toEqual({ status: 200, text: 'soon' })
    expect(await (await fetch(`${gateway.url}/sales/orders/new`)).text()).not.toBe('soon')
    hold({ id: 3, path: '/renamed' }, { replaces: 3 })
    expect((await send('/sales/renamed')).status).toBe(200)
    expect((await fetch(`${gateway.url}/sales/orders/new`)).status).toBe(200)
  })

  it('has the access of its id, and with none that of a Super Admin alone', async () => {
    const { hold, send } = await start()
    const closed = { requires_token: true, path: '/closed' }
    hold(closed)
    expect((await send('/sales/closed')).status).toBe(401)
    hold(closed)
    expect((await send('/sales/closed', { token: clientToken })).status).toBe(403)
    hold(closed)
    expect((await send('/sales/closed', { token: adminToken })).status).toBe(200)
    hold({ ...closed, id: 1 }, { replaces: 1 })
    expect((await send('/sales/closed', { token: clientToken })).status).toBe(200)
  })

  it('does not let the saved one answer where the gateway has not got it', async () => {
    const { upstream, hold, send } = await start()
    hold({ id: 3, path: '/orders/new' }, { replaces: 3, trace_id: 'u_2' })
    expect((await send('/sales/orders/new')).text).toContain('Send it again')
    expect(upstream.requests).toEqual([])
  })

  it('does not answer for values that would lead to another endpoint once it is saved', async () => {
    const { upstream, hold, send } = await start()
    hold({ id: 2, path: '/orders/{number}' }, { replaces: 2 })
    expect((await send('/sales/orders/new')).text).toContain('GET /sales/orders/new')
    expect(upstream.requests).toEqual([])
  })

  it('neither reads nor writes the answers that are kept of the saved one', async () => {
    const { gateway, answerWith, hold, send } = await start()
    answerWith('tried')
    hold({ id: 3, path: '/orders/new' }, { replaces: 3 })
    expect((await send('/sales/orders/new')).text).toBe('tried')
    answerWith('saved')
    expect(await (await fetch(`${gateway.url}/sales/orders/new`)).text()).toBe('saved')
    answerWith('tried again')
    hold({ id: 3, path: '/orders/new' }, { replaces: 3 })
    expect((await send('/sales/orders/new')).text).toBe('tried again')
    expect(await (await fetch(`${gateway.url}/sales/orders/new`)).text()).toBe('saved')
  })

  it('is served with the settings of its API that come with it, and nothing of those in force', async () => {
    const { gateway, upstream, hold, send } = await start()
    const other = await startRecordingUpstream((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother'),
    )
    const once = { requests: 1, window_seconds: 60, per: 'endpoint' as const }
    const api = buildApi({
      base_url: `${other.url}/v2`,
      credential: { kind: 'bearer', token: 'typed', scheme: 'Bearer', refused_when: null },
      static_headers: [{ name: 'X-Plant', value: '7' }],
      policy: { ...noTrafficPolicy, rate_limit: once },
    })
    for (const _ of [1, 2]) {
      hold({ id: 3, path: '/orders/new' }, { replaces: 3, api })
      expect(await send('/sales/orders/new')).toEqual({ status: 200, text: 'other' })
    }
    expect(other.requests.map((each) => each.requestLine)).toEqual([
      'GET /v2/orders/new HTTP/1.1',
      'GET /v2/orders/new HTTP/1.1',
    ])
    expect(Object.fromEntries(other.requests[0]!.headers)).toMatchObject({
      authorization: 'Bearer typed',
      'x-plant': '7',
    })
    expect(upstream.requests).toEqual([])
    expect(await (await fetch(`${gateway.url}/sales/orders/new`)).text()).toBe('ok')
  })

  it('is served of an API that is new', async () => {
    const { upstream, hold, send } = await start()
    const api = { ...buildApi({ base_url: upstream.url, context: 'fresh' }), id: 0 }
    hold({ path: '/x', api_id: 0 }, { api })
    expect((await send('/fresh/x')).status).toBe(200)
    expect((await send('/fresh/x')).status).toBe(404)
  })

  it('is dropped when more than 32 others came after it', async () => {
    const { hold, send } = await start()
    for (let at = 0; at <= 32; at++) hold({ path: '/a' }, { trace_id: `u_${at}` })
    expect((await send('/sales/a', { id: 'u_0' })).status).toBe(404)
    expect((await send('/sales/a', { id: 'u_1' })).status).toBe(200)
  })
})
