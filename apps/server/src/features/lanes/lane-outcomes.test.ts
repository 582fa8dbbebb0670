import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ok, startAuthorityLanes, type AuthorityLanes } from '../../../test/servers/lane-server.ts'
import { cut, json } from '../../../test/servers/run-server.ts'

let { app, read, step, sent } = {} as AuthorityLanes
beforeAll(async () => {
  ;({ app, read, step, sent } = await startAuthorityLanes())
})
afterAll(() => app.close())
beforeEach(() => app.startOver())

const minuteMs = 60_000

describe('what certainly had no effect', () => {
  it('is tried again after a pause that doubles, until it is done', async () => {
    const flow = await app.workflow([{ endpointId: read, text: '' }])
    app.answer(cut)
    const { runId } = await app.put(flow)
    await app.settled()
    expect(await app.stateOf(runId)).toEqual({ state: 'queued', steps: ['waiting'] })
    const first = await app.entryOf(runId)
    expect(first).toMatchObject({ state: 'queued', tries: 1 })
    expect(first?.message).toContain('Not confirmed')
    await app.later(900)
    expect(app.upstream.received).toHaveLength(1)
    await app.later(400)
    expect(app.upstream.received).toHaveLength(2)
    await app.later(1_900)
    expect(app.upstream.received).toHaveLength(2)
    app.answer(ok)
    await app.later(700)
    expect(await app.stateOf(runId)).toEqual({ state: 'succeeded', steps: ['succeeded'] })
    expect(await app.entryOf(runId)).toBeUndefined()
  })

  it('goes on behind the steps that succeeded', async () => {
    const flow = await app.workflow([step(), { endpointId: read, text: '' }])
    app.answer((request, ...rest) => (request.method === 'GET' ? cut : ok)(request, ...rest))
    const { runId } = await app.put(flow)
    await app.settled()
    expect((await app.stateOf(runId)).state).toBe('queued')
    app.answer(ok)
    await app.later(1_500)
    expect((await app.stateOf(runId)).state).toBe('succeeded')
    expect(app.upstream.received.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET'])
  })

  it('waits as long as the authority asks, and the lane with it', async () => {
    const flow = await app.workflow([step()])
    app.answer(json(429, {}, { 'retry-after': '120' }))
    const { runId } = await app.put(flow)
    await app.settled()
    app.answer(ok)
    const other = await app.put(flow)
    await app.later(110_000)
    expect(app.upstream.received).toHaveLength(1)
    expect((await app.stateOf(other.runId)).state).toBe('queued')
    await app.later(11_000)
    expect((await app.stateOf(runId)).state).toBe('succeeded')
    expect((await app.stateOf(other.runId)).state).toBe('succeeded')
  })

  it('waits as long as a value of the answer says', async () => {
    const endpointId = await app.endpoint({
      method_type: 'put',
      path: '/asks-in-body',
      run_settings: { wait_path: 'error.retry_after' },
    })
    const flow = await app.workflow([{ endpointId, text: '{}' }])
    app.answer(json(503, { error: { retry_after: 90 } }, { 'retry-after': '5' }))
    const { runId } = await app.put(flow)
    await app.settled()
    app.answer(ok)
    await app.later(89_000)
    expect(app.upstream.received).toHaveLength(1)
    await app.later(2_000)
    expect((await app.stateOf(runId)).state).toBe('succeeded')
  })

  it('is not sent after its deadline, and a person can go on with it', async () => {
    const flow = await app.workflow([step()], { lane: { is_paused: 1 } })
    const deadlineAt = new Date(app.server.time.now.getTime() + minuteMs).toISOString()
    const { runId } = await app.put(flow, { deadlineAt })
    await app.later(minuteMs - 1)
    expect((await app.stateOf(runId)).state).toBe('queued')
    await app.unpause(flow)
    await app.later(1)
    const { state, steps, resume } = await app.show(runId)
    expect([state, steps[0]?.message]).toEqual([
      'not_started',
      `It was not sent until its deadline (${deadlineAt}).`,
    ])
    expect(sent()).toEqual([])
    expect(resume).toEqual({ step: 1, refusal: null })
    expect((await app.post(`/api/runs/${runId}/resume`, {})).status).toBe(200)
    expect(sent()).toHaveLength(1)
  })
})

describe('an outage', () => {
  it('begins after five failures in a row; one run at a time finds out when it ends', async () => {
    const flow = await app.workflow([{ endpointId: read, text: '' }], {
      lane: { concurrency: 8, is_paused: 1 },
    })
    app.answer(cut)
    const runs = await Promise.all(Array.from({ length: 8 }, () => app.put(flow)))
    await app.unpause(flow)
    await app.later(0)
    expect(app.upstream.received).toHaveLength(8)
    expect(await app.laneOf(flow)).toMatchObject({
      failures: 8,
      outage_since: app.server.time.now.toISOString(),
    })
    await app.later(11_000)
    expect(app.upstream.received).toHaveLength(9)
    app.answer(ok)
    await app.later(5 * minuteMs)
    expect(app.upstream.received).toHaveLength(17)
    expect(await app.laneOf(flow)).toMatchObject({
      failures: 0,
      outage_since: null,
      next_try_at: null,
    })
    for (const { runId } of runs) expect((await app.stateOf(runId)).state).toBe('succeeded')
  })

  it('keeps most of a queue from becoming unknown where the authority answers with errors', async () => {
    const flow = await app.workflow([step()], { lane: { concurrency: 2 } })
    app.answer(json(503, {}))
    const runs = await Promise.all(Array.from({ length: 20 }, () => app.put(flow)))
    await app.settled()
    expect(app.upstream.received.length).toBeLessThanOrEqual(6)
    const states = await Promise.all(runs.map(({ runId }) => app.stateOf(runId)))
    expect(states.filter(({ state }) => state === 'queued').length).toBeGreaterThanOrEqual(14)
  })
})

describe('an unknown outcome', () => {
  it('is never repeated by itself; with strict order, later runs of its key wait until it is settled', async () => {
    const flow = await app.workflow([step()], { lane: { is_strict_order: 1 } })
    app.answer(cut)
    const first = await app.put(flow, { orderKey: 'A' })
    await app.settled()
    app.answer(ok)
    const second = await app.put(flow, { orderKey: 'A' })
    const third = await app.put(flow, { orderKey: 'A' })
    const other = await app.put(flow, { orderKey: 'B' })
    await app.later(60 * minuteMs)
    const states = async () =>
      Promise.all(
        [first, second, third, other].map(async ({ runId }) => (await app.stateOf(runId)).state),
      )
    expect(await states()).toEqual(['unknown', 'queued', 'queued', 'succeeded'])
    expect(await app.entryOf(first.runId)).toMatchObject({ state: 'held' })
    expect(sent()).toHaveLength(2)
    const verdict = { step: 1, verdict: 'received', reference: '', note: '' }
    expect((await app.post(`/api/runs/${first.runId}/resolve`, verdict)).status).toBe(200)
    await app.later(0)
    expect(await states()).toEqual(['succeeded', 'succeeded', 'succeeded', 'succeeded'])
    expect(await app.server.db.selectFrom('lane_entry').selectAll().execute()).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ lane_id: flow.laneId })]),
    )
  })

  it('without strict order leaves the lane', async () => {
    const flow = await app.workflow([step()])
    app.answer(cut)
    const { runId } = await app.put(flow, { orderKey: 'A' })
    await app.settled()
    expect((await app.stateOf(runId)).state).toBe('unknown')
    expect(await app.entryOf(runId)).toBeUndefined()
  })
})

it('runs of one order key are sent one after the other, in the order in which they were taken', async () => {
  const flow = await app.workflow([step('"{{input.at}}"')], {
    lane: { is_strict_order: 1, concurrency: 8, is_paused: 1 },
  })
  const keys = ['A', 'B', 'C']
  for (let at = 0; at < 8; at++)
    for (const orderKey of keys)
      await app.put(flow, { orderKey, inputText: `{"at":"${orderKey}${at}"}` })
  let [a, most] = [0, 0]
  app.answer((request, response) => {
    if (request.body.startsWith('"A')) most = Math.max(most, ++a)
    setImmediate(() => {
      if (request.body.startsWith('"A')) a--
      response.end('{}')
    })
  })
  await app.unpause(flow)
  await app.later(0)
  expect(most).toBe(1)
  for (const key of keys)
    expect(sent().filter((body) => body.startsWith(`"${key}`))).toEqual(
      Array.from({ length: 8 }, (_, at) => `"${key}${at}"`),
    )
})

describe('a refused sign-in', () => {
  it('pauses the lane, alarms once, and the run goes on when the lane does', async () => {
    const flow = await app.workflow([step()], { lane: { concurrency: 1 } })
    app.answer(json(401, {}))
    const runs = [await app.put(flow), await app.put(flow)]
    await app.settled()
    expect(app.upstream.received).toHaveLength(1)
    expect(await app.laneOf(flow)).toMatchObject({ is_paused: 1, paused_by: null })
    const lane = await app.laneOf(flow)
    expect(lane.pause_reason).toContain('did not accept the credentials')
    await app.later(1_000)
    await app.server.unattended.alarms.keeper.look()
    await app.server.unattended.alarms.keeper.look()
    const alarms = app.server.logLines.filter((line) => line.includes(`"lane":"${lane.name}"`))
    expect(alarms).toHaveLength(1)
    app.answer(ok)
    await app.unpause(flow)
    await app.later(0)
    for (const { runId } of runs) expect((await app.stateOf(runId)).state).toBe('succeeded')
  })

  it('for the second time is about the run: it is blocked, and holds nothing up', async () => {
    const flow = await app.workflow([step()], { lane: { concurrency: 1 } })
    app.answer(json(403, {}))
    const { runId } = await app.put(flow)
    await app.settled()
    await app.unpause(flow)
    await app.later(0)
    expect((await app.stateOf(runId)).state).toBe('blocked')
    expect(await app.entryOf(runId)).toBeUndefined()
  })
})
