import { hostname } from 'node:os'
import { gatewayClientId, latencyBucketsMs, type TrafficAnswer } from '@gatehouse/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  buildServer,
  endpointOf,
  httpApi,
  type TestServer,
} from '../../../test/servers/build-server.ts'
import { recordingGateway } from '../../../test/servers/recording-gateway.ts'

let gateway: ReturnType<typeof recordingGateway>
let server: TestServer
let endpointId: number
beforeEach(async () => {
  gateway = recordingGateway()
  server = await buildServer({}, gateway.link)
  const api = await create('/api/apis', httpApi({ name: 'Posts' }))
  endpointId = await create('/api/endpoint', endpointOf(api))
})
afterEach(() => server.close())

async function create(url: string, body: unknown): Promise<number> {
  const answer = await server.send('POST', url, { token: server.admin.token, body })
  return (answer.body as { id: number }).id
}

/** Requests that each took between 75 and 100 ms. */
const traffic = (endpoint_id: number, status: number, requests: number) => ({
  endpoint_id,
  status,
  requests,
  duration_ms: requests * 90,
  bytes_in: requests * 10,
  bytes_out: requests * 100,
  buckets: latencyBucketsMs.map((bound) => (bound === 100 ? requests : 0)).concat(0),
})

async function show(range: string): Promise<TrafficAnswer> {
  const token = await server.signIn(server.admin.email)
  const answer = await server.send('GET', `/api/traffic?range=${range}`, { token })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as TrafficAnswer
}

describe('what workers report', () => {
  it('has what the cache did, over the minutes and of one API', async () => {
    const cache = { hits: 4, misses: 1, saved_ms: 900 }
    gateway.report({ traffic: [{ ...traffic(endpointId, 200, 5), cache }] })
    await server.traffic.flush()
    gateway.report({
      traffic: [{ ...traffic(endpointId, 304, 1), cache }, traffic(endpointId, 200, 1)],
    })
    await server.traffic.flush()
    const sum = { hits: 8, misses: 2, saved_ms: 1_800 }
    for (const range of ['hour', 'day', 'week', 'hour&api_id=1'])
      expect((await show(range)).totals.cache).toEqual(sum)
    expect((await show('hour&api_id=99')).totals.cache).toEqual({ hits: 0, misses: 0, saved_ms: 0 })
  })

  it('shows as a series without gaps, totals and endpoints', async () => {
    gateway.report({ traffic: [traffic(endpointId, 200, 6), traffic(endpointId, 502, 1)] })
    gateway.report({ traffic: [traffic(endpointId, 403, 2), traffic(0, 404, 1)] })
    await server.traffic.flush()
    // A second flush within the same minute adds to the first.
    gateway.report({ traffic: [traffic(endpointId, 0, 1)] })
    await server.traffic.flush()

    const answer = await show('hour')
    expect(answer.series).toHaveLength(60)
    expect(answer.series.at(-1)).toEqual({
      at: '2026-06-01T08:00:00.000Z',
      requests: 11,
      errors: 2,
      refused: 3,
      p50: 87.5,
      p95: 98.75,
      p99: 99.75,
    })
    expect(answer.series[0]).toEqual({
      at: '2026-06-01T07:01:00.000Z',
      requests: 0,
      errors: 0,
      refused: 0,
      p50: null,
      p95: null,
      p99: null,
    })
    expect(answer.totals).toMatchObject({
      requests: 11,
      errors: 2,
      refused: 3,
      unmatched: 1,
      bytes_in: 110,
      bytes_out: 1_100,
    })
    const [first] = answer.busiest
    expect(answer.busiest).toHaveLength(1)
    expect(first).toMatchObject({
      endpoint_id: endpointId,
      summery: 'One post',
      api: 'Posts',
      method_type: 'get',
      path: '/posts/posts/{id}',
      requests: 10,
      errors: 2,
      refused: 2,
    })
    expect(answer.failing).toEqual(answer.busiest)
  })

  it('is summed up to ten minutes over a day and to an hour over a week', async () => {
    for (const [at, requests] of [
      ['2026-06-01T01:09:59Z', 1],
      ['2026-06-01T01:10:00Z', 2],
      ['2026-06-01T01:19:59Z', 3],
      ['2026-06-01T02:00:00Z', 4],
    ] as const) {
      server.time.now = new Date(at)
      gateway.report({ traffic: [traffic(endpointId, 200, requests)] })
    }
    await server.traffic.flush()
    server.time.now = new Date('2026-06-01T08:00:00Z')
    const points = async (range: string) =>
      (await show(range)).series.filter(({ requests }) => requests > 0)
    expect((await points('day')).map(({ at, requests }) => [at, requests])).toEqual([
      ['2026-06-01T01:00:00.000Z', 1],
      ['2026-06-01T01:10:00.000Z', 5],
      ['2026-06-01T02:00:00.000Z', 4],
    ])
    expect((await points('week')).map(({ at, requests }) => [at, requests])).toEqual([
      ['2026-06-01T01:00:00.000Z', 6],
      ['2026-06-01T02:00:00.000Z', 4],
    ])
    expect((await show('day')).series).toHaveLength(144)
    expect((await show('week')).series).toHaveLength(168)
    expect((await show('hour')).totals.requests).toBe(0)
  })

  it('of one API counts its endpoints alone, and stays with it when they go', async () => {
    const other = await create('/api/apis', httpApi({ name: 'Other' }))
    const otherEndpoint = await create('/api/endpoint', endpointOf(other))
    const { api_id } = await server.db
      .selectFrom('endpoint')
      .select('api_id')
      .where('id', '=', endpointId)
      .executeTakeFirstOrThrow()
    gateway.report({ traffic: [traffic(endpointId, 200, 6), traffic(endpointId, 502, 1)] })
    gateway.report({ traffic: [traffic(otherEndpoint, 403, 2), traffic(0, 404, 1)] })
    await server.traffic.flush()
    const own = await show(`hour&api_id=${api_id}`)
    expect(own.series.at(-1)).toMatchObject({ requests: 7, errors: 1, refused: 0, p50: 87.5 })
    expect(own.totals).toMatchObject({ requests: 7, errors: 1, refused: 0, unmatched: 0 })
    expect(own.busiest.map(({ endpoint_id }) => endpoint_id)).toEqual([endpointId])
    expect(own.failing.map(({ endpoint_id }) => endpoint_id)).toEqual([endpointId])
    expect((await show(`week&api_id=${other}`)).totals).toMatchObject({ requests: 2, refused: 2 })
    expect((await show('hour')).totals).toMatchObject({ requests: 10, unmatched: 1 })

    await server.send('DELETE', `/api/endpoint/${otherEndpoint}`, { token: server.admin.token })
    expect((await show(`day&api_id=${other}`)).totals.requests).toBe(2)
  })

  it('of an API with more than a thousand endpoints is that of its own', async () => {
    const { db } = server
    const { id: _, ...like } = await db
      .selectFrom('endpoint')
      .selectAll()
      .where('id', '=', endpointId)
      .executeTakeFirstOrThrow()
    const copies = Array.from({ length: 1_100 }, (_each, at) => ({ ...like, path_key: `/${at}` }))
    for (let at = 0; at < copies.length; at += 100)
      await db
        .insertInto('endpoint')
        .values(copies.slice(at, at + 100))
        .execute()
    const other = await create('/api/apis', httpApi({ name: 'Other' }))
    const otherEndpoint = await create('/api/endpoint', endpointOf(other))
    gateway.report({ traffic: [traffic(endpointId, 200, 6), traffic(otherEndpoint, 502, 7)] })
    await server.traffic.flush()
    for (const range of ['hour', 'day', 'week']) {
      const { busiest, failing } = await show(`${range}&api_id=${like.api_id}`)
      expect(busiest.map(({ endpoint_id }) => endpoint_id)).toEqual([endpointId])
      expect(failing).toEqual([])
    }
  })

  it('names the APIs to which requests fail now, most errors first', async () => {
    const other = await create('/api/apis', httpApi({ name: 'Other' }))
    const otherEndpoint = await create('/api/endpoint', endpointOf(other))
    const failing = async (query = 'hour') =>
      (await show(query)).failing_now.map(({ api, since, requests, errors }) => [
        api,
        since.slice(11, 16),
        requests,
        errors,
      ])
    for (const [at, id, status, requests] of [
      // An hour ago: it fails again, from 08:02 on.
      ['2026-06-01T06:50:00Z', endpointId, 502, 40],
      ['2026-06-01T08:00:00Z', endpointId, 200, 3],
      ['2026-06-01T08:01:00Z', endpointId, 200, 3],
      ['2026-06-01T08:02:00Z', endpointId, 502, 5],
      ['2026-06-01T08:03:00Z', otherEndpoint, 0, 9],
      ['2026-06-01T08:03:30Z', otherEndpoint, 200, 1],
      ['2026-06-01T08:04:00Z', endpointId, 404, 2],
      ['2026-06-01T08:05:00Z', endpointId, 504, 1],
    ] as const) {
      server.time.now = new Date(at)
      gateway.report({ traffic: [traffic(id, status, requests)] })
      await server.traffic.flush()
    }
    expect(await failing()).toEqual([
      ['Other', '08:03', 10, 9],
      ['Posts', '08:02', 8, 6],
    ])
    expect(await failing(`week&api_id=${other}`)).toEqual([['Other', '08:03', 10, 9]])
    await server.send('DELETE', `/api/endpoint/${otherEndpoint}`, { token: server.admin.token })
    await server.send('DELETE', `/api/apis/${other}`, { token: server.admin.token })
    expect(await failing()).toEqual([['Posts', '08:02', 8, 6]])
    server.time.now = new Date('2026-06-01T08:21:00Z')
    expect(await failing()).toEqual([])
  })

  it('stays when its endpoint is deleted, without a name', async () => {
    gateway.report({ traffic: [traffic(endpointId, 200, 1)] })
    await server.traffic.flush()
    await server.send('DELETE', `/api/endpoint/${endpointId}`, { token: server.admin.token })
    expect((await show('hour')).busiest).toMatchObject([
      { endpoint_id: endpointId, summery: null, path: null, requests: 1 },
    ])
  })

  it('of a week orders endpoints by the whole week, hour by hour at its begin', async () => {
    const other = await create('/api/endpoint', endpointOf(1, { path: '/others' }))
    const reports = [
      // Before the first hour of the week.
      ['2026-05-25T08:59:00Z', endpointId, 200, 1_000],
      ['2026-05-25T09:00:00Z', endpointId, 200, 1],
      ['2026-05-25T23:59:00Z', other, 502, 2],
      ['2026-05-26T00:00:00Z', endpointId, 200, 4],
      ['2026-05-28T12:00:00Z', other, 200, 8],
      ['2026-06-01T08:00:00Z', endpointId, 502, 16],
    ] as const
    for (const [at, id, status, requests] of reports) {
      server.time.now = new Date(at)
      gateway.report({ traffic: [traffic(id, status, requests)] })
      await server.traffic.flush()
    }
    const figures = ({ busiest, failing }: TrafficAnswer) =>
      [busiest, failing].map((top) =>
        top.map(({ endpoint_id, requests, errors }) => [endpoint_id, requests, errors]),
      )
    const own = [endpointId, 21, 16]
    const others = [other, 10, 2]
    expect(figures(await show('week'))).toEqual([
      [own, others],
      [own, others],
    ])
    server.time.now = new Date('2026-06-01T23:59:00Z')
    expect(figures(await show('week'))).toEqual([
      [
        [endpointId, 20, 16],
        [other, 8, 0],
      ],
      [[endpointId, 20, 16]],
    ])
    // Exactly at the begin of a day.
    server.time.now = new Date('2026-06-01T23:00:00Z')
    expect(figures(await show('week'))).toEqual(figures(await show('week&api_id=1')))
  })

  it('is kept for two days by the minute, and five weeks by the hour', async () => {
    gateway.report({ traffic: [traffic(endpointId, 200, 1)] })
    await server.traffic.flush()
    const count = async () => {
      const tables = ['traffic_minute', 'traffic_hour', 'traffic_day'] as const
      return Promise.all(
        tables.map(
          async (table) => (await server.db.selectFrom(table).selectAll().execute()).length,
        ),
      )
    }
    // Of the endpoint, of its API, and of all; by the day of the endpoint alone.
    expect(await count()).toEqual([3, 3, 1])
    server.time.now = new Date('2026-06-03T09:01:00Z')
    await server.traffic.flush()
    expect(await count()).toEqual([0, 3, 1])
    server.time.now = new Date('2026-07-06T09:02:00Z')
    await server.traffic.flush()
    expect(await count()).toEqual([0, 0, 0])
  })

  it('is written later, and once, when the database was away', async () => {
    await server.db.schema.alterTable('traffic_hour').renameTo('gone').execute()
    gateway.report({ traffic: [traffic(endpointId, 200, 5)] })
    await server.traffic.flush()
    await server.db.schema.alterTable('gone').renameTo('traffic_hour').execute()
    await server.traffic.flush()
    await server.traffic.flush()
    expect((await show('hour')).totals.requests).toBe(5)
    expect((await show('week')).totals.requests).toBe(5)
  })

  it('of hundreds of endpoints is written whole', async () => {
    const many = Array.from({ length: 1_234 }, (_, index) => traffic(1_000 + index, 200, 1))
    gateway.report({ traffic: many })
    await server.traffic.flush()
    const answer = await show('hour')
    expect(answer.totals.requests).toBe(1_234)
    expect(answer.busiest).toHaveLength(10)
  })

  it('shows when a token was last used', async () => {
    const { body } = await server.send('POST', '/admin/token/store', {
      token: server.admin.token,
      body: { user: gatewayClientId },
    })
    const { id } = (body as { access_token: { id: number } }).access_token
    gateway.report({ token_uses: [[id, 3]] })
    await server.traffic.flush()
    expect((await server.stores.tokens.find(id))?.last_used_at).toBe('2026-06-01T08:00:00.000Z')
  })

  it('shows when tokens were last used while the database was away, each with its own time', async () => {
    const create = async () => {
      const { body } = await server.send('POST', '/admin/token/store', {
        token: server.admin.token,
        body: { user: gatewayClientId },
      })
      return (body as { access_token: { id: number } }).access_token.id
    }
    const [first, second] = [await create(), await create()]
    await server.db.schema.alterTable('personal_token').renameTo('gone').execute()
    gateway.report({ token_uses: [[first, 1]] })
    await server.traffic.flush()
    server.time.now = new Date('2026-06-01T08:05:00Z')
    gateway.report({ token_uses: [[second, 1]] })
    await server.traffic.flush()
    await server.db.schema.alterTable('gone').renameTo('personal_token').execute()
    await server.traffic.flush()
    const lastUse = async (id: number) => (await server.stores.tokens.find(id))?.last_used_at
    expect(await lastUse(first)).toBe('2026-06-01T08:00:00.000Z')
    expect(await lastUse(second)).toBe('2026-06-01T08:05:00.000Z')
  })
})

describe('GET /api/traffic', () => {
  it('422: another range than it knows', async () => {
    const answer = await server.send('GET', '/api/traffic?range=year', {
      token: server.admin.token,
    })
    expect(answer.status).toBe(422)
  })
})

it('names the circuit breakers that are open, the servers where they are, and since when', async () => {
  expect((await show('hour')).open_breakers).toEqual([])
  const { body } = await server.send('GET', '/api/apis', { token: server.admin.token })
  const [{ data }] = body as [{ data: { id: number }[] }]
  const api_id = data[0]!.id
  gateway.control.openBreakers = [
    { api_id, open_ms: 90_000 },
    { api_id: 999_999, open_ms: 1 },
  ]
  expect(await server.nodes.start()).toBeUndefined()
  expect((await show('hour')).open_breakers).toEqual([
    {
      api_id,
      api: 'Posts',
      since: '2026-06-01T07:58:30.000Z',
      servers: [{ name: hostname(), workers: 1 }],
    },
  ])
  // A server that says nothing any more is no witness.
  server.time.now = new Date(server.time.now.getTime() + 30_000)
  expect((await show('hour')).open_breakers).toEqual([])
})
