import type { RunDetail } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startLaneServer, type LaneServer } from '../../../test/servers/lane-server.ts'
import { json } from '../../../test/servers/run-server.ts'

let app: LaneServer
let post: number
let read: number
beforeAll(async () => {
  app = await startLaneServer()
  post = await app.endpoint({ path: '/post' })
  read = await app.endpoint({ method_type: 'get', path: '/read' })
})
afterAll(() => app.close())
beforeEach(() => app.answer(json(200, { id: 7 })))

type Flow = Awaited<ReturnType<LaneServer['workflow']>>
type Lane = NonNullable<Parameters<LaneServer['workflow']>[1]>['lane']

const workflow = (lane: Lane = {}, endpointId = post) =>
  app.workflow([{ endpointId, text: endpointId === post ? '{}' : '' }], { lane })
const inMs = (ms: number) => new Date(app.server.time.now.getTime() + ms).toISOString()
const queueOf = async (runId: number): Promise<RunDetail['queue']> => (await app.show(runId)).queue
const change = (flow: Flow, values: Parameters<typeof app.server.stores.lanes.update>[1]) =>
  app.server.stores.lanes.update(flow.laneId, values)

describe('the page of a queued run says', () => {
  it('its lane, its deadline, and who has paused the lane and why', async () => {
    const flow = await workflow({ is_paused: 1 })
    await change(flow, { paused_by: 'ada', pause_reason: 'Stock-taking' })
    const { runId } = await app.put(flow, { deadlineAt: inMs(60_000) })
    expect(await queueOf(runId)).toEqual({
      lane: { id: flow.laneId, name: flow.slug },
      queued_at: inMs(0),
      tries: 0,
      next_try_at: null,
      deadline_at: inMs(60_000),
      waiting_for: 'Its lane is paused. Paused by ada: Stock-taking',
      last_failure: null,
    })
  })

  it('when it is tried again, and why its last try failed', async () => {
    const flow = await workflow({}, read)
    app.answer(json(503, { error: 'closed' }))
    const { runId } = await app.put(flow)
    await app.settled()
    const entry = await app.entryOf(runId)
    expect(entry?.next_try_at).toEqual(expect.any(String))
    const queue = await queueOf(runId)
    expect(queue).toMatchObject({
      tries: 1,
      next_try_at: entry?.next_try_at,
      waiting_for: 'Its next try, after one that failed.',
      last_failure: entry?.message,
    })
    expect(queue?.last_failure).toMatch(/503/)
  })

  it('that the authority asked the lane to wait, until the later of both moments', async () => {
    const flow = await workflow()
    app.answer(json(429, {}, { 'retry-after': '60' }))
    const first = await app.put(flow)
    await app.settled()
    const second = await app.put(flow)
    await app.settled()
    const waiting_for = 'The authority asked to wait.'
    expect(await queueOf(first.runId)).toMatchObject({ next_try_at: inMs(60_000), waiting_for })
    expect(await queueOf(second.runId)).toMatchObject({
      tries: 0,
      next_try_at: inMs(60_000),
      waiting_for,
      last_failure: null,
    })
  })

  it('that the lane has an outage', async () => {
    const flow = await workflow({ is_paused: 1 })
    const { runId } = await app.put(flow)
    await change(flow, { is_paused: 0, outage_since: inMs(0), failures: 6, next_try_at: inMs(9) })
    expect(await queueOf(runId)).toMatchObject({
      next_try_at: inMs(9),
      waiting_for:
        'The authority: 6 tries in a row failed. One run at a time finds out whether the authority works again.',
    })
  })

  it('which run goes first: of its order key, or of its lane', async () => {
    const flow = await workflow({ is_strict_order: 1, is_paused: 1 })
    const first = await app.put(flow, { orderKey: 'A' })
    const second = await app.put(flow, { orderKey: 'A' })
    const third = await app.put(flow, { orderKey: 'B' })
    expect(await queueOf(second.runId)).toMatchObject({
      waiting_for: `Run ${first.runId} has the same order key and goes first.`,
    })
    await app.unpause(flow)
    expect(await queueOf(first.runId)).toMatchObject({ waiting_for: null })
    expect(await queueOf(third.runId)).toMatchObject({
      waiting_for: `Its turn: run ${first.runId} goes first.`,
    })
  })

  it('that every place is taken', async () => {
    const flow = await workflow({ concurrency: 1 })
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
    app.answer((_, response) => {
      arrive()
      void released.then(() => response.end('{}'))
    })
    await app.put(flow)
    await arrived
    const { runId } = await app.put(flow)
    expect(await queueOf(runId)).toMatchObject({
      waiting_for: 'A place: 1 of 1 runs of its lane are under way.',
    })
    release()
    await app.settled()
    expect((await app.show(runId)).queue).toBeNull()
  })

  it('that a limit is reached', async () => {
    const flow = await workflow({ per_hour: 1 })
    await app.put(flow)
    await app.settled()
    const { runId } = await app.put(flow)
    await app.settled()
    expect(await queueOf(runId)).toMatchObject({ waiting_for: 'The limit of 1 call per hour.' })
  })

  it('that its batch is paused', async () => {
    const flow = await workflow({ is_paused: 1 })
    const { runId } = await app.put(flow)
    await app.server.stores.lanes.updateEntry(runId, { state: 'waiting' })
    expect(await queueOf(runId)).toMatchObject({ waiting_for: 'Its batch is paused.' })
  })
})
