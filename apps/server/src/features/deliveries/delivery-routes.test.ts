import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildServer()
})
afterAll(() => server.close())

const leave = (place: string, subject = 'run.succeeded', kind: 'callback' | 'alarm' = 'callback') =>
  server.stores.deliveries.insert({
    kind,
    channel: 'webhook',
    subject,
    target: { url: `http://${place}/in`, secret: { of: 'workflow', id: 1 } },
    payload: '{"amount":"1.10"}',
    runId: 7,
    orderKey: `${place}:A`,
  })
const kill = (id: number) =>
  server.stores.deliveries.move(id, ['waiting'], {
    state: 'dead',
    ended_at: server.time.now.toISOString(),
  })
const call = (method: 'GET' | 'POST', url: string, body?: unknown, token = server.admin.token) =>
  server.send(method, url, { token, body })
interface Page {
  data: { id: number; waits_for: number | null }[]
  total: number
}
const list = async (query: string) =>
  ((await call('GET', `/api/deliveries?${query}`)).body as Page[])[0]

describe('deliveries are listed', () => {
  it('newest first, by state, place and run, with what they wait for', async () => {
    const first = await leave('list.example')
    const second = await leave('list.example')
    const page = await list('place=list.example&run=7&kind=callback')
    expect(page?.data.map(({ id, waits_for }) => [id, waits_for])).toEqual([
      [second, first],
      [first, null],
    ])
    expect((await list('place=list.example&state=dead'))?.total).toBe(0)
    expect((await list('place=list.example&limit=1&page=2'))?.data[0]?.id).toBe(first)
  })

  it('422 for a state that does not exist', async () => {
    expect((await call('GET', '/api/deliveries?state=lost')).status).toBe(422)
  })
})

describe('GET /api/deliveries/:id', () => {
  it('shows the bytes and the id that are sent, and no secret', async () => {
    const id = await leave('show.example')
    const { body, text } = await call('GET', `/api/deliveries/${id}`)
    expect(body).toMatchObject({
      delivery: { id, payload: '{"amount":"1.10"}', target: 'http://show.example/in', tries: 0 },
    })
    expect(text).toMatch(/"message_id":"msg_[0-9a-f]{32}"/)
    expect(text).not.toContain('secret')
  })

  it('404 where there is none', async () => {
    expect((await call('GET', '/api/deliveries/999999')).body).toMatchObject({
      code: 'delivery.not_found',
    })
  })
})

describe('POST /api/deliveries/:id/send and cancel', () => {
  it('lets a dead one wait for 24 hours more, under its id, and leaves an event', async () => {
    const id = await leave('again.example')
    const before = await server.stores.deliveries.find(id)
    await kill(id)
    server.time.now = new Date(server.time.now.getTime() + 3_600_000)
    const { body } = await call('POST', `/api/deliveries/${id}/send`)
    expect(body).toMatchObject({
      delivery: {
        state: 'waiting',
        message_id: before?.message_id,
        give_up_at: new Date(server.time.now.getTime() + 86_400_000).toISOString(),
      },
    })
    const audit = await call('GET', `/api/audit?thing=delivery&thing_id=${id}`)
    expect(audit.text).toContain('"action":"delivery.send"')
  })

  it('gives up one that waits, and says 409 for one that has ended', async () => {
    const id = await leave('cancel.example')
    expect((await call('POST', `/api/deliveries/${id}/cancel`)).body).toMatchObject({
      delivery: { state: 'cancelled', next_try_at: null },
    })
    const second = await call('POST', `/api/deliveries/${id}/cancel`)
    expect([second.status, second.body]).toMatchObject([409, { code: 'delivery.ended' }])
  })

  it('403 without the permission', async () => {
    const id = await leave('forbidden.example')
    const viewer = await server.buildUser({ permissions: ['workflow.view'] })
    const send = await call('POST', `/api/deliveries/${id}/send`, undefined, viewer.token)
    expect(send.status).toBe(403)
  })
})

describe('POST /api/deliveries/send-dead', () => {
  it('sends those of one receiver again, and no other', async () => {
    const own = [await leave('dead.example'), await leave('dead.example')]
    const other = await leave('other.example')
    for (const id of [...own, other]) await kill(id)
    const { body } = await call('POST', '/api/deliveries/send-dead', { place: 'dead.example' })
    expect(body).toEqual({ sent: 2, left: 0 })
    expect((await list('place=dead.example&state=dead'))?.total).toBe(0)
    expect((await list('place=other.example&state=dead'))?.total).toBe(1)
  })
})

describe('deliveries of alarms', () => {
  it('are neither seen nor sent nor counted without alarm.view, whatever else is allowed', async () => {
    const alarm = await leave('both.example', 'Run 12: the outcome is unknown', 'alarm')
    const callback = await leave('both.example')
    for (const id of [alarm, callback]) await kill(id)
    const permissions = ['workflow.view', 'workflow.operate'] as const
    const operator = await server.buildUser({ permissions: [...permissions] })
    const asOperator = (method: 'GET' | 'POST', url: string, body?: unknown) =>
      call(method, url, body, operator.token)
    const seen = await asOperator('GET', '/api/deliveries?place=both.example')
    expect(seen.body).toMatchObject([{ total: 1, data: [{ id: callback }] }])
    expect((await asOperator('GET', '/api/deliveries?kind=alarm')).body).toMatchObject([
      { total: 0 },
    ])
    for (const [method, url] of [
      ['GET', `/api/deliveries/${alarm}`],
      ['POST', `/api/deliveries/${alarm}/send`],
      ['POST', `/api/deliveries/${alarm}/cancel`],
    ] as const)
      expect((await asOperator(method, url)).status, url).toBe(404)
    const sent = await asOperator('POST', '/api/deliveries/send-dead', { place: 'both.example' })
    expect(sent.body).toEqual({ sent: 1, left: 0 })
    expect((await server.stores.deliveries.find(alarm))?.state).toBe('dead')

    const watcher = await server.buildUser({ permissions: [...permissions, 'alarm.view'] })
    const all = await call('GET', '/api/deliveries?place=both.example', undefined, watcher.token)
    expect(all.body).toMatchObject([{ total: 2 }])
    const place = { place: 'both.example' }
    const rest = await call('POST', '/api/deliveries/send-dead', place, watcher.token)
    expect(rest.body).toEqual({ sent: 1, left: 0 })
  })
})

it('the metrics say what waits and what is dead', async () => {
  const { text } = await server.send('GET', '/metrics')
  expect(text).toMatch(/^deliveries_waiting \d+$/m)
  expect(text).toMatch(/^deliveries_dead 1$/m)
  expect(text).toMatch(/^deliveries_oldest_waiting_seconds \d+$/m)
})
