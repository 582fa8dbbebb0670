// Databases: SQLite.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startLaneServer, type LaneServer } from '../../../test/servers/lane-server.ts'
import { createPeerUpstream, createRunPeer } from '../../../test/servers/run-peer.ts'
import { json } from '../../../test/servers/run-server.ts'

let app: LaneServer
let post: number
let peer: ReturnType<typeof createRunPeer>
const upstream = createPeerUpstream()
beforeAll(async () => {
  app = await startLaneServer({ SESSION_IDLE_HOURS: '720', SESSION_MAX_HOURS: '720' })
  post = await app.endpoint({ path: '/post' })
  // Its leases can be renewed while the clock of the test moves on.
  peer = createRunPeer(app.server, upstream, 'deadline-peer')
})
afterAll(async () => {
  await peer.dispatcher.stop()
  await peer.rates.stop()
  await app.close()
  await upstream.close()
})
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(json(200, { id: 7 }))
})

const minuteMs = 60_000
const inMs = (ms: number) => new Date(app.server.time.now.getTime() + ms).toISOString()
const sent = () => app.upstream.received.map(({ body }) => body)

/** A run whose second step waits for the next call that its lane allows, an hour later. */
async function waitingRun(deadlineMs: number) {
  const steps = ['first', 'second'].map((text) => ({
    endpointId: post,
    text: `{"step":"${text}"}`,
  }))
  const flow = await app.workflow(steps, { lane: { per_hour: 1, is_paused: 1 } })
  const { runId } = await app.put(flow, { deadlineAt: inMs(deadlineMs) })
  // The other server has seen that the lane is paused, and does not take it.
  await app.settled()
  await app.unpause(flow)
  peer.dispatcher.wake(flow.laneId)
  await expect.poll(async () => (await app.stateOf(runId)).steps).toEqual(['succeeded', 'waiting'])
  expect((await app.stateOf(runId)).state).toBe('running')
  return { runId, flow }
}

/** The clock moves on by more than an hour, while the server renews its leases in time. */
async function anHourLater() {
  const everyMs = 20_000
  for (let pastMs = 0; pastMs < 75 * minuteMs; pastMs += everyMs) {
    app.server.time.now = new Date(app.server.time.now.getTime() + everyMs)
    await peer.leases.renew(app.server.stores.runs)
  }
  await peer.dispatcher.look()
  await peer.dispatcher.settled()
}

describe('a step that waits for a limit of its lane', () => {
  it('is not sent after the deadline: the run ends there, and a person can go on with it', async () => {
    const { runId, flow } = await waitingRun(30 * minuteMs)
    const deadline = inMs(30 * minuteMs)
    await anHourLater()
    await peer.dispatcher.look()
    expect(sent()).toEqual(['{"step":"first"}'])
    const run = await app.show(runId)
    expect(run).toMatchObject({
      state: 'stopped',
      resume: { step: 2 },
      steps: [
        { state: 'succeeded' },
        { state: 'waiting', message: `It was not sent until its deadline (${deadline}).` },
      ],
    })
    expect(await app.entryOf(runId)).toBeUndefined()
    // The call that was not made counts for nothing.
    const resumed = await app.post(`/api/runs/${runId}/resume`, {})
    expect(resumed.status, resumed.text).toBe(200)
    expect(sent()).toEqual(['{"step":"first"}', '{"step":"second"}'])
    expect((await app.laneOf(flow)).failures).toBe(0)
  })

  it('is sent before the deadline', async () => {
    const { runId } = await waitingRun(120 * minuteMs)
    await anHourLater()
    expect((await app.stateOf(runId)).state).toBe('succeeded')
    expect(sent()).toEqual(['{"step":"first"}', '{"step":"second"}'])
  })
})
