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
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(json(200, { id: 7 }))
})

const sentTo = () => app.upstream.received.map(({ url }) => url)

describe('a queued run', () => {
  it('is carried out, step by step, and leaves its lane', async () => {
    const flow = await app.workflow([
      { endpointId: read, text: '' },
      { endpointId: post, text: '{"of":"{{steps.1.body.id}}"}' },
    ])
    const { what, runId } = await app.put(flow)
    expect(what).toBe('queued')
    await app.settled()
    expect(await app.stateOf(runId)).toEqual({
      state: 'succeeded',
      steps: ['succeeded', 'succeeded'],
    })
    expect(sentTo()).toEqual(['/read', '/post'])
    expect(app.upstream.received[1]?.body).toBe('{"of":7}')
    expect(await app.entryOf(runId)).toBeUndefined()
  })

  it('is carried out once, however many are queued at once', async () => {
    const flow = await app.workflow([{ endpointId: post, text: '{}' }], {
      lane: { concurrency: 1 },
    })
    const runs = await Promise.all(Array.from({ length: 8 }, () => app.put(flow)))
    await app.settled()
    expect(sentTo()).toHaveLength(8)
    for (const { runId } of runs) expect((await app.stateOf(runId)).state).toBe('succeeded')
  })

  it('never has more beside it than its lane allows', async () => {
    const flow = await app.workflow([{ endpointId: post, text: '{}' }], {
      lane: { concurrency: 3 },
    })
    const waiting: (() => void)[] = []
    const running: number[] = []
    const answerAll = async () => {
      running.push(await app.server.stores.lanes.countRunning(flow.laneId))
      for (const answer of waiting.splice(0)) answer()
    }
    app.answer((_request, response) => {
      waiting.push(() => response.end('{}'))
      if (waiting.length === 3) void answerAll()
    })
    await Promise.all(Array.from({ length: 12 }, () => app.put(flow)))
    await app.settled()
    expect(running).toEqual([3, 3, 3, 3])
    expect(sentTo()).toHaveLength(12)
  })

  it('whose endpoint is disabled ends as blocked, with the reason at its step', async () => {
    const closed = await app.endpoint({ path: '/closed', status: 'disabled' })
    const flow = await app.workflow([
      { endpointId: post, text: '{}' },
      { endpointId: closed, text: '{}' },
    ])
    const { runId } = await app.put(flow)
    await app.settled()
    const { state, steps } = await app.show(runId)
    expect(state).toBe('blocked')
    expect(steps.map((step) => [step.state, step.message])).toEqual([
      ['blocked', 'Step 2: This endpoint is disabled.'],
      ['blocked', 'This endpoint is disabled.'],
    ])
    expect(sentTo()).toEqual([])
    expect(await app.entryOf(runId)).toBeUndefined()
  })

  it('of a user who lost the workflow is blocked', async () => {
    const flow = await app.workflow([{ endpointId: post, text: '{}' }])
    const person = await app.person(['run.view'])
    const { runId } = await app.put(flow, { user: { id: person.id, name: 'Somebody' } })
    await app.settled()
    const { state, steps } = await app.show(runId)
    expect([state, steps[0]?.message]).toEqual([
      'blocked',
      'No role of Somebody has access to this workflow.',
    ])
  })

  it('of a user whose role has the workflow needs no access to the endpoint', async () => {
    const flow = await app.workflow([{ endpointId: post, text: '{}' }])
    const person = await app.person([])
    const { id: role_id } = await app.server.db
      .selectFrom('role')
      .select('id')
      .where('name', '=', person.roleName)
      .executeTakeFirstOrThrow()
    await app.server.db
      .insertInto('role_workflow')
      .values({ role_id, workflow_id: flow.id })
      .execute()
    const { runId } = await app.put(flow, { user: { id: person.id, name: 'Machine' } })
    await app.settled()
    expect((await app.stateOf(runId)).state).toBe('succeeded')
  })
})

describe('interactive runs', () => {
  it('go before lines of batches', async () => {
    const flow = await app.workflow([{ endpointId: post, text: '{}' }], {
      lane: { concurrency: 1, is_paused: 1 },
    })
    const line = await app.put(flow, { priority: 1 })
    const asked = await app.put(flow, { priority: 0 })
    const order: number[] = []
    const noteRunning = async () => {
      const { run_id } = await app.server.db
        .selectFrom('lane_entry')
        .select('run_id')
        .where('state', '=', 'running')
        .executeTakeFirstOrThrow()
      order.push(run_id)
    }
    app.answer((_request, response) => void noteRunning().then(() => response.end('{}')))
    await app.server.db.updateTable('lane').set({ is_paused: 0 }).execute()
    await app.server.dispatcher.look()
    await app.settled()
    expect(order).toEqual([asked.runId, line.runId])
  })
})
