import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { describe, expect, it } from 'vitest'
import {
  bearerCredential,
  buildApi,
  buildEndpoint,
  buildSnapshot,
  clientToken,
} from '../testing/build-snapshot.ts'
import { RawClient } from '../testing/raw-client.ts'
import { createTestGateway, startGateway } from '../testing/test-gateway.ts'

const base = buildSnapshot()
const api = (parts: Parameters<typeof buildApi>[0]) => ({ ...base, apis: [buildApi(parts)] })
const endpoint = (parts: Parameters<typeof buildEndpoint>[0]) => ({
  ...base,
  endpoints: [buildEndpoint(parts)],
})

describe('refused whole, and the last good one stays in force', () => {
  it.each([
    ['nothing', null, null, /expected object/],
    ['another format', { ...base, format: 2, revision: 7 }, 7, /format 2/],
    ['a missing part', { ...base, revision: 8, apis: undefined }, 8, /^apis: /],
    [
      'a wrong type',
      { ...base, endpoints: [{ ...buildEndpoint(), id: 'x' }] },
      1,
      /^endpoints\.0\.id: /,
    ],
    ['an endpoint without its API', endpoint({ api_id: 9 }), 1, /belongs to no API/],
    [
      'an endpoint twice',
      { ...base, endpoints: [buildEndpoint(), buildEndpoint()] },
      1,
      /in it twice/,
    ],
    [
      'an API twice',
      { ...base, apis: [buildApi(), buildApi({ context: 'b' })] },
      1,
      /API 1 is in it twice/,
    ],
    [
      'a context twice',
      { ...base, apis: [buildApi(), buildApi({ id: 2 })] },
      1,
      /context sales is in it twice/,
    ],
    ['a context of ours', api({ context: 'healthz' }), 1, /context of API 1/],
    ['a context with an escape', api({ context: 'a%2fb' }), 1, /context of API 1/],
    ['a path with a dot segment', endpoint({ path: '/a/../b' }), 1, /Endpoint 1: /],
    ['a base URL of another scheme', api({ base_url: 'file:///etc' }), 1, /base URL of API 1/],
    [
      'a token that would be two headers',
      api({ credential: bearerCredential('a\r\nb') }),
      1,
      /upstream token of API 1/,
    ],
  ])('%s', async (_name, given, revision, reason) => {
    const gateway = await startGateway(buildSnapshot({ revision: 5 }))
    const result = gateway.swap(given)
    expect(result).toMatchObject({ ok: false, revision, reason: expect.stringMatching(reason) })
    const health = await fetch(`${gateway.url}/healthz`)
    expect(await health.json()).toEqual({ status: 'ok', revision: 5 })
  })
})

it('a request stays with the snapshot that it began with', async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<() => void>()
  const upstream = await startRecordingUpstream((socket) => {
    resolve(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nold'))
  })
  const gateway = await startGateway(
    buildSnapshot({ apis: [buildApi({ base_url: upstream.url })] }),
  )
  const client = new RawClient(gateway.port)
  client.send('GET /sales/orders HTTP/1.1\r\nHost: a\r\n\r\n')
  const answerIt = await arrived
  expect(gateway.swap(buildSnapshot({ revision: 2, endpoints: [], apis: [] })).ok).toBe(true)
  answerIt()
  expect((await client.answer())?.body).toBe('old')
  client.send('GET /sales/orders HTTP/1.1\r\nHost: a\r\n\r\n')
  expect((await client.answer())?.status).toBe(404)
})

it('a revoked token is refused from the next request on', async () => {
  const upstream = await startRecordingUpstream()
  const apis = [buildApi({ base_url: upstream.url, requires_token: true })]
  const gateway = await startGateway(buildSnapshot({ apis }))
  const send = () =>
    fetch(`${gateway.url}/sales/orders`, { headers: { authorization: `Bearer ${clientToken}` } })
  expect((await send()).status).toBe(200)
  expect((await send()).status).toBe(200)
  gateway.swap(buildSnapshot({ apis, revision: 2, tokens: [] }))
  expect((await send()).status).toBe(401)
})

it('connections to an upstream outlive a change of the configuration', async () => {
  const upstream = await startRecordingUpstream()
  const apis = [buildApi({ base_url: upstream.url })]
  const gateway = await startGateway(buildSnapshot({ apis }))
  await (await fetch(`${gateway.url}/sales/orders`)).text()
  gateway.swap(buildSnapshot({ apis, revision: 2 }))
  await (await fetch(`${gateway.url}/sales/orders`)).text()
  expect(upstream.sockets).toHaveLength(1)
})

it('without a snapshot nothing is served', async () => {
  const gateway = createTestGateway()
  const port = await gateway.listen({ host: '127.0.0.1', port: 0 })
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`)
  expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'gateway.stopping' }])
})

it('of two prefixes that lead to one path the longer one is meant', async () => {
  const gateway = await startGateway(
    buildSnapshot({
      apis: [buildApi(), buildApi({ id: 2, context: 'sales/v1' })],
      endpoints: [
        buildEndpoint({ path: '/v1/x', custom_output: 'short' }),
        buildEndpoint({ id: 2, api_id: 2, path: '/x', custom_output: 'long' }),
      ],
    }),
  )
  expect(await (await fetch(`${gateway.url}/sales/v1/x`)).text()).toBe('long')
})
