// Databases: SQLite.

import type { LaneRecord } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startLaneServer, type LaneServer } from '../../../test/servers/lane-server.ts'
import { json } from '../../../test/servers/run-server.ts'

let app: LaneServer
let post: number
let flow: Awaited<ReturnType<LaneServer['workflow']>>
beforeAll(async () => {
  app = await startLaneServer()
  post = await app.endpoint({ path: '/post' })
})
afterAll(() => app.close())
beforeEach(async () => {
  app.answer(json(200, { id: 7 }))
  flow = await app.workflow([{ endpointId: post, text: '{}' }])
})

async function shown(): Promise<LaneRecord> {
  const { body } = await app.server.send('GET', '/api/lanes', { token: app.token })
  const lane = (body as { lanes: LaneRecord[] }).lanes.find(({ id }) => id === flow.laneId)
  if (!lane) throw new Error('The lane is not listed.')
  return lane
}
const act = async (verb: string, body?: unknown) => {
  const answer = await app.server.send('POST', `/api/lanes/${flow.laneId}/${verb}`, {
    token: app.token,
    body,
  })
  return { status: answer.status, lane: (answer.body as { lane: LaneRecord }).lane }
}

describe('GET /api/lanes', () => {
  it('shows settings, workflows and what is in a lane', async () => {
    expect(await shown()).toMatchObject({
      name: flow.slug,
      concurrency: 4,
      state: 'idle',
      workflows: [{ id: flow.id, slug: flow.slug, name: flow.slug }],
      depth: 0,
      running: 0,
      oldest_at: null,
      waiting_for: null,
      paused: null,
    })
    await act('pause')
    const takenAt = app.server.time.now.toISOString()
    await app.put(flow)
    await app.put(flow)
    expect(await shown()).toMatchObject({ state: 'paused', depth: 2, oldest_at: takenAt })
    await act('resume')
    await app.settled()
    expect(await shown()).toMatchObject({ state: 'idle', depth: 0, rate_per_minute: 2 })
  })

  it('says what a lane waits for: the authority, the end of an outage, a limit', async () => {
    app.answer(json(429, {}, { 'retry-after': '60' }))
    await app.put(flow)
    await app.settled()
    const asked = await shown()
    expect(asked).toMatchObject({ state: 'waiting', waiting_for: 'The authority asked to wait.' })
    expect(asked.next_try_at).toBe(new Date(app.server.time.now.getTime() + 60_000).toISOString())
    await app.server.stores.lanes.update(flow.laneId, {
      failures: 6,
      outage_since: app.server.time.now.toISOString(),
    })
    expect(await shown()).toMatchObject({ state: 'outage' })

    flow = await app.workflow([{ endpointId: post, text: '{}' }], { lane: { per_hour: 1 } })
    app.answer(json(200, {}))
    await app.put(flow)
    await app.put(flow)
    await app.settled()
    expect(await shown()).toMatchObject({
      state: 'waiting',
      depth: 1,
      waiting_for: 'The limit of 1 call per hour.',
    })
    await app.later(3_600_000 - 1)
    expect(await shown()).toMatchObject({ depth: 1 })
    await app.later(60_000)
    expect(await shown()).toMatchObject({ state: 'idle', depth: 0 })
  })
})

describe('an operator', () => {
  it('pauses a lane with a reason, and starts it again; the audit trail has both', async () => {
    const paused = await act('pause', { reason: 'The books are closed.' })
    expect(paused.status).toBe(200)
    expect(paused.lane).toMatchObject({
      state: 'paused',
      waiting_for: 'Paused by admin: The books are closed.',
      paused: { by: 'admin', reason: 'The books are closed.' },
    })
    const { runId } = await app.put(flow)
    await app.later(0)
    expect((await app.stateOf(runId)).state).toBe('queued')
    expect((await act('resume')).lane.paused).toBeNull()
    await app.settled()
    expect((await app.stateOf(runId)).state).toBe('succeeded')
    const { text } = await app.server.send('GET', `/api/audit?thing=lane&thing_id=${flow.laneId}`, {
      token: app.token,
    })
    for (const action of ['lane.pause', 'lane.resume', 'The books are closed.'])
      expect(text).toContain(action)
  })

  it('drains a lane: it takes no new run until it is resumed', async () => {
    expect((await act('drain')).lane.state).toBe('draining')
    await expect(app.put(flow)).rejects.toMatchObject({ code: 'lane.draining' })
    await act('resume')
    expect((await app.put(flow)).what).toBe('queued')
  })

  it('gets a 404 for a lane that is not there', async () => {
    const { token } = app
    for (const verb of ['pause', 'resume', 'drain'])
      expect(
        (await app.server.send('POST', `/api/lanes/999999/${verb}`, { token })).body,
      ).toMatchObject({ code: 'lane.not_found' })
  })
})

it('metrics show depth, age, outage and pause of each lane', async () => {
  await act('pause')
  await app.put(flow)
  app.server.time.now = new Date(app.server.time.now.getTime() + 90_000)
  const { text } = await app.server.send('GET', '/metrics')
  const label = `{lane="${flow.slug}"}`
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      `lane_queued_runs${label} 1`,
      `lane_running_runs${label} 0`,
      `lane_oldest_queued_seconds${label} 90`,
      `lane_outage${label} 0`,
      `lane_paused${label} 1`,
    ]),
  )
})
