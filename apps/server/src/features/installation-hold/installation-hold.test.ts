import type { HeldParts } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { json } from '../../../test/servers/run-server.ts'
import { startScheduleServer, type ScheduleServer } from '../../../test/servers/schedule-server.ts'
import { wishFor } from '../../kernel/leases/lease-time.ts'

// Two servers on one database, after a restore.

let app: ScheduleServer
let post: number
let read: number
beforeAll(async () => {
  app = await startScheduleServer()
  post = await app.endpoint({ path: '/submit' })
  read = await app.endpoint({ method_type: 'get', path: '/read' })
})
afterAll(() => app.close())
beforeEach(async () => {
  app.upstream.received.length = 0
  await app.server.stores.installationHold.begin({
    reason: 'restore',
    backup_made_at: '2026-06-01T07:00:00.000Z',
    held_since: '2026-06-01T07:30:00.000Z',
  })
})

const servers = () => [app.server, app.second]
const sent = () => app.upstream.received.filter(({ method }) => method === 'POST').length
const note = 'Nothing was sent after the backup: the portals say so.'
const release = (body: unknown = { note }, token = app.token) =>
  app.server.send('POST', '/api/installation/release', { token, body })
/** What every server does by itself, twice. */
async function work() {
  for (let round = 0; round < 2; round++) {
    await Promise.all(servers().map(({ dispatcher }) => dispatcher.look()))
    await app.look(...servers())
    await Promise.all(servers().map(({ dispatcher }) => dispatcher.look()))
    await Promise.all(servers().map(({ dispatcher }) => dispatcher.settled()))
    await Promise.all(servers().map(({ unattended }) => unattended.deliveries.keeper.look()))
  }
}
const leave = (kind: 'callback' | 'alarm', path: string) =>
  app.server.stores.deliveries.insert({
    kind,
    channel: 'webhook',
    subject: 'run.succeeded',
    target: { url: `${app.upstream.url}${path}`, secret: { of: 'workflow', id: 1 } },
    payload: '{}',
  })
const stateOf = async (id: number) => (await app.server.stores.deliveries.find(id))?.state

describe('while the installation is held', () => {
  it('queued runs, due schedules and callbacks wait on all servers, and go out once after the release', async () => {
    const flow = await app.workflow([{ endpointId: post, text: '{"n":1}' }])
    const queued = await app.put(flow)
    const { id } = await app.create(app.bodyOf(flow.id, { cron: '* * * * *' }))
    app.pass(60_000)
    const callback = await leave('callback', '/callback')
    await work()
    expect(sent()).toBe(0)
    expect(await app.firings(id)).toEqual([])
    expect(await app.stateOf(queued.runId)).toMatchObject({ state: 'queued' })
    expect(await stateOf(callback)).toBe('waiting')

    expect((await release()).body).toEqual({ hold: null })
    await work()
    expect(await app.firings(id)).toMatchObject([{ state: 'done' }])
    const bodies = app.upstream.received.filter(({ url }) => url === '/submit')
    expect(bodies).toHaveLength(2)
    expect(await app.stateOf(queued.runId)).toMatchObject({ state: 'succeeded' })
    // It was tried: this workflow has no secret to sign it with.
    expect(await stateOf(callback)).toBe('dead')
    await app.server.send('DELETE', `/api/schedules/${id}`, { token: app.token })
  })

  it('alarms are sent: one of them says that it is held', async () => {
    const [callback, alarm] = [await leave('callback', '/c'), await leave('alarm', '/a')]
    const claimed = await app.server.stores.deliveries.claim({
      lease: await wishFor({ clock: { now: () => app.server.time.now }, owner: 'other' }, 0),
      limit: 10,
      perPlace: 10,
      underWay: new Map(),
      without: 'callback',
    })
    expect(claimed.map(({ id }) => id)).toContain(alarm)
    expect(claimed.map(({ id }) => id)).not.toContain(callback)
    await app.server.unattended.alarms.keeper.look()
    const open = await app.server.stores.alarms.listOpen()
    expect(open).toContainEqual(expect.objectContaining({ kind: 'held' }))
  })

  it('what is sent by hand needs a confirmation, unless it only reads', async () => {
    const steps = { endpoint_1: { end_point: post, body: '{"by":"hand"}' } }
    const refused = await app.post('/api/tax', steps)
    expect(refused).toMatchObject({ status: 409, body: { code: 'installation.held' } })
    expect(sent()).toBe(0)
    app.answer(json(500, {}))
    const failed = await app.post('/api/tax', { ...steps, confirm_held: true })
    expect(failed).toMatchObject({ status: 504 })
    expect(sent()).toBe(1)
    app.answer(json(200, { id: 7 }))
    const reading = { endpoint_1: { end_point: read, body: '' } }
    expect(await app.post('/api/tax', reading)).toMatchObject({ status: 200 })
    const built = { end_point: post, first_endpoint: '', second_endpoint: '{"built":1}' }
    expect(await app.post('/api/prepare-data', built)).toMatchObject({ status: 409 })
    expect(sent()).toBe(1)
  })

  it('the confirmation names the reason', async () => {
    const { installationHold } = app.server.stores
    const moments = {
      backup_made_at: '2026-06-01T07:00:00.000Z',
      held_since: '2026-06-01T07:30:00.000Z',
    }
    for (const [reason, words] of [
      ['restore', 'A backup was restored, so'],
      ['older_database', 'The database is older than what was sent, so'],
    ] as const) {
      await installationHold.begin({ reason, ...moments })
      const refused = await app.post('/api/tax', {
        endpoint_1: { end_point: post, body: '{"a":1}' },
      })
      expect(refused).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining(words), hold: { reason, ...moments } },
      })
    }
  })

  it('a run is not resumed or corrected without a confirmation', async () => {
    app.answer(json(400, {}))
    const steps = { endpoint_1: { end_point: post, body: '{"rejected":1}' }, confirm_held: true }
    const { body } = await app.post('/api/tax', steps)
    const { id } = (body as { run: { id: number } }).run
    app.answer(json(200, { id: 7 }))
    const correction = { endpoint_1: { body: '{"rejected":2}' } }
    expect(await app.post(`/api/runs/${id}/retry`, correction)).toMatchObject({
      status: 409,
      body: { code: 'installation.held' },
    })
    const confirmed = { ...correction, confirm_held: true }
    expect(await app.post(`/api/runs/${id}/retry`, confirmed)).toMatchObject({ status: 200 })
  })

  it('a lane or a schedule can be released alone; the rest waits, and so do callbacks', async () => {
    const [one, other] = [
      await app.workflow([{ endpointId: post, text: '{"n":"one"}' }]),
      await app.workflow([{ endpointId: post, text: '{"n":"other"}' }]),
    ]
    const queued = [await app.put(one), await app.put(other)]
    const made = [
      await app.create(app.bodyOf(one.id, { name: 'First', cron: '* * * * *' })),
      await app.create(app.bodyOf(one.id, { name: 'Second', cron: '* * * * *' })),
    ]
    app.pass(60_000)
    const callback = await leave('callback', '/callback')
    const held = async () =>
      (await app.server.send('GET', '/api/installation/held', { token: app.token }))
        .body as HeldParts
    const before = await held()
    expect(before.lanes.filter(({ id }) => id === one.laneId)).toMatchObject([
      { queued: 1, without_query: 1, is_released: false },
    ])
    expect(before.found).toEqual({ unknown: 0, total: 0 })
    const [first, second] = made.map(({ id }) => id)
    const parts = { note, lanes: [one.laneId], schedules: [first] }
    expect((await release(parts)).body).toMatchObject({ hold: { reason: 'restore' } })
    await work()
    expect(await app.stateOf(queued[0]?.runId ?? 0)).toMatchObject({ state: 'succeeded' })
    expect(await app.stateOf(queued[1]?.runId ?? 0)).toMatchObject({ state: 'queued' })
    expect(await app.firings(first ?? 0)).toMatchObject([{ state: 'done' }])
    expect(await app.firings(second ?? 0)).toEqual([])
    expect(await stateOf(callback)).toBe('waiting')
    expect(
      await app.post('/api/tax', { endpoint_1: { end_point: post, body: '{"by":1}' } }),
    ).toMatchObject({
      status: 409,
    })
    const after = await held()
    const releasedOnes = [...after.lanes, ...after.schedules].filter((each) => each.is_released)
    expect(releasedOnes.map(({ id }) => id)).toEqual([one.laneId, first])
    expect((await release({ note, lanes: ['x'] })).status).toBe(422)
    expect((await release()).body).toEqual({ hold: null })
    await work()
    expect(await app.stateOf(queued[1]?.runId ?? 0)).toMatchObject({ state: 'succeeded' })
    for (const { id } of made)
      await app.server.send('DELETE', `/api/schedules/${id}`, { token: app.token })
  })

  it('health and the start of the log say so', async () => {
    app.server.logLines.length = 0
    await app.server.hold.start()
    await app.server.hold.stop()
    expect(app.server.logLines.join('')).toMatch(/held: a backup was restored/)
    const health = () => app.server.send('GET', '/healthz')
    expect((await health()).body).toMatchObject({
      status: 'degraded',
      reasons: [expect.stringMatching(/^held: .*2026-06-01T07:00:00/)],
    })
    await release()
    expect((await health()).body).toMatchObject({ status: 'ok' })
  })
})

describe('the release', () => {
  it('takes the permission and a note, happens once, and is in the audit trail', async () => {
    const viewer = await app.person(['workflow.view'])
    const seen = await app.second.send('GET', '/api/installation/hold', { token: app.token })
    expect(seen.body).toEqual({
      hold: {
        reason: 'restore',
        backup_made_at: '2026-06-01T07:00:00.000Z',
        held_since: '2026-06-01T07:30:00.000Z',
      },
    })
    expect((await release({ note }, viewer.token)).status).toBe(403)
    expect((await release({ note: ' ' })).status).toBe(422)
    expect((await release()).status).toBe(200)
    expect(await release()).toMatchObject({
      status: 409,
      body: { code: 'installation.not_held' },
    })
    const event = await app.server.db
      .selectFrom('audit_event')
      .selectAll()
      .where('action', '=', 'installation.release')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(JSON.parse(event.after ?? '')).toEqual({ note })
  })
})
