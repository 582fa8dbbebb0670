import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { describe, expect, it } from 'vitest'
import { buildApi, buildEndpoint, buildSnapshot } from '../testing/build-snapshot.ts'
import { RawClient } from '../testing/raw-client.ts'
import { startGateway } from '../testing/test-gateway.ts'

const trusting = { trustedProxies: ['127.0.0.0/8'] }

async function start(options: object) {
  const upstream = await startRecordingUpstream()
  const gateway = await startGateway(
    buildSnapshot({
      apis: [buildApi({ base_url: upstream.url })],
      endpoints: [buildEndpoint(), buildEndpoint({ id: 2, path: '/{id}' })],
    }),
    options,
  )
  /** The status, and what reaches the upstream, but for what each request has of its own. */
  const send = async (client: RawClient, fields: string, path = '/sales/orders') => {
    const before = upstream.requests.length
    client.send(`GET ${path} HTTP/1.1\r\nHost: a\r\n${fields}\r\n`)
    const status = (await client.answer())?.status
    const received = upstream.requests
      .slice(before)
      .map(({ requestLine, headers }) => [
        requestLine,
        ...headers.filter(([name, value]) => name !== 'x-request-id' || value === 'chosen'),
      ])
    return { status, received }
  }
  return { send, client: () => new RawClient(gateway.port) }
}

describe('a connection that repeats its fields is served as many that send them once', () => {
  it.each([
    ['nothing more', '', {}],
    ['fields that are passed on', 'X-A: 1\r\nCookie: a=1\r\nAuthorization: Basic YTpi\r\n', {}],
    ['fields that Connection names', 'X-A: 1\r\nConnection: x-a, keep-alive\r\n', {}],
    ['fields that only a proxy may set', 'X-Forwarded-For: 9.9.9.9\r\nX-Real-IP: 9.9.9.9\r\n', {}],
    ['the same of a trusted proxy', 'X-Forwarded-For: 9.9.9.9\r\nX-Real-IP: 9.9.9.9\r\n', trusting],
    ['an id that was chosen', 'X-Request-Id: chosen\r\n', trusting],
    ['Via', 'Via: 1.1 proxy\r\n', {}],
    ['a trace context', `traceparent: 00-${'1'.repeat(32)}-${'2'.repeat(16)}-01\r\n`, {}],
    ['a body of no length', 'Content-Length: 0\r\n', {}],
  ])('%s', async (_name, fields, options) => {
    const { send, client } = await start(options)
    const once = await send(client(), fields)
    const onceOther = await send(client(), fields, '/sales/7?a=b')
    const repeating = client()
    for (let round = 0; round < 3; round++) {
      expect(await send(repeating, fields)).toEqual(once)
      expect(await send(repeating, fields, '/sales/7?a=b')).toEqual(onceOther)
      await send(repeating, 'X-Other: 1\r\n')
    }
    expect(once.status).toBe(200)
  })

  it('a refused target, then one that is fine', async () => {
    const { send, client } = await start({})
    const repeating = client()
    expect((await send(repeating, '')).status).toBe(200)
    expect((await send(repeating, '', '/sales/none/there')).status).toBe(404)
    expect((await send(repeating, '')).status).toBe(200)
    expect((await send(repeating, '', '/sales/../orders')).status).toBe(400)
  })
})
