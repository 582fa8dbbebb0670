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
  app.upstream.received.length = 0
  app.answer(json(200, { id: 7 }))
  flow = await app.workflow([{ endpointId: post, text: '{}' }], { kind: 'tax' })
})

describe('a run that is queued with a key', () => {
  it('is one run, however often it is handed in, and whatever the order of keys of its input', async () => {
    const key = 'key-of-one'
    const inputs = ['{"a":1,"b":{"c":2,"d":3}}', ' {"b":{"d":3,"c":2},"a":1}']
    const all = await Promise.all(
      [...inputs, ...inputs].map((inputText) => app.put(flow, { key, inputText })),
    )
    await app.settled()
    expect(new Set(all.map(({ runId }) => runId)).size).toBe(1)
    expect(all.filter(({ what }) => what === 'queued')).toHaveLength(1)
    const later = await app.put(flow, { key, inputText: inputs[0] ?? '' })
    expect(later).toEqual({ what: 'replay', runId: all[0]?.runId })
    expect(app.upstream.received).toHaveLength(1)
  })

  it('is refused where the key has another content', async () => {
    await app.put(flow, { key: 'key-of-two', inputText: '{"a":1.0}' })
    await expect(app.put(flow, { key: 'key-of-two', inputText: '{"a":1}' })).rejects.toMatchObject({
      code: 'run.key_reused',
      status: 422,
    })
  })

  it('belongs to its user and its workflow', async () => {
    const other = await app.workflow([{ endpointId: post, text: '{}' }])
    const runs = [
      await app.put(flow, { key: 'key-three', inputText: '1' }),
      await app.put(other, { key: 'key-three', inputText: '1' }),
    ]
    expect(runs.map(({ what }) => what)).toEqual(['queued', 'queued'])
  })

  it('is refused with a new key while the same content is queued', async () => {
    await app.server.db.updateTable('lane').set({ is_paused: 1 }).execute()
    await app.put(flow, { key: 'key-four-1', inputText: '{"same":1}' })
    await expect(
      app.put(flow, { key: 'key-four-2', inputText: '{"same":1}' }),
    ).rejects.toMatchObject({ code: 'run.in_progress' })
  })
})

describe.each(['tax', 'general'] as const)('without a key, the content of a %s run', (kind) => {
  const inputText = '{"no":"key"}'
  const sent = `{"${kind}":"key"}`
  beforeEach(async () => {
    const text = `{"${kind}":"{{input.no}}"}`
    flow = await app.workflow([{ endpointId: post, text }], { kind })
  })

  it('is its key: also while it is queued, and after it was accepted', async () => {
    const all = await Promise.all(
      [inputText, ' { "no": "key" }', inputText].map((text) => app.put(flow, { inputText: text })),
    )
    expect(all.filter(({ what }) => what === 'queued')).toHaveLength(1)
    await app.settled()
    expect(await app.put(flow, { inputText })).toEqual({ what: 'replay', runId: all[0]?.runId })
    // Runs of the tests before may still be under way.
    expect(app.upstream.received.filter(({ body }) => body === sent)).toHaveLength(1)
  })

  it('is the same of any person, and another as a test and in another workflow', async () => {
    const first = await app.put(flow, { inputText })
    const { id, roleName: name } = await app.server.buildUser()
    expect(await app.put(flow, { inputText, user: { id, name } })).toEqual({
      what: 'replay',
      runId: first.runId,
    })
    const other = await app.workflow([{ endpointId: post, text: '{}' }], { kind })
    expect((await app.put(flow, { inputText, isTest: true })).what).toBe('queued')
    expect((await app.put(other, { inputText })).what).toBe('queued')
  })

  it('begins again after a failure, linked to the run that failed', async () => {
    app.answer(json(422, { error: 'wrong' }))
    const failed = await app.put(flow, { inputText })
    await app.settled()
    app.answer(json(200, { id: 7 }))
    const again = await app.put(flow, { inputText })
    expect(again.what).toBe('queued')
    await app.settled()
    expect(await app.show(again.runId)).toMatchObject({
      state: 'succeeded',
      retry_of: failed.runId,
    })
    expect(await app.show(failed.runId)).toMatchObject({ overtaken_by: again.runId })
    expect(await app.put(flow, { inputText })).toEqual({ what: 'replay', runId: again.runId })
  })
})

it('a new key says “once more” to a general run, also while the same content is queued', async () => {
  const general = await app.workflow([{ endpointId: post, text: '{}' }], {
    lane: { is_paused: 1 },
  })
  const inputText = '{"every":"hour"}'
  const all = [
    await app.put(general, { inputText, key: 'key-of-hour-1' }),
    await app.put(general, { inputText, key: 'key-of-hour-2' }),
  ]
  expect(all.map(({ what }) => what)).toEqual(['queued', 'queued'])
})

it('a lane that is drained takes no new run and carries out what it has', async () => {
  const { runId } = await app.put(flow)
  await app.server.db.updateTable('lane').set({ is_draining: 1 }).execute()
  await expect(app.put(flow)).rejects.toMatchObject({ code: 'lane.draining', status: 503 })
  // While the change held the lane, the dispatcher found it busy and left it for a moment.
  await app.later(0)
  expect((await app.stateOf(runId)).state).toBe('succeeded')
})

it('a queued run is shown without steps, and nothing but waiting is offered', async () => {
  await app.server.db.updateTable('lane').set({ is_paused: 1 }).execute()
  const { runId } = await app.put(flow, { reference: 'INV-1' })
  const detail = await app.show(runId)
  const waits = 'The run waits in its lane and goes on by itself.'
  expect(detail).toMatchObject({
    state: 'queued',
    reference: 'INV-1',
    steps: [],
    resume: { step: null, refusal: waits },
    run_again: { is_allowed: false, refusal: waits },
    correct: { is_allowed: false, refusal: waits },
    close: { is_allowed: false, refusal: waits },
  })
  const { token } = app
  const listed = await app.server.send('GET', '/api/runs?state=queued', { token })
  expect(listed.text).toContain('INV-1')
  const resumed = await app.post(`/api/runs/${runId}/resume`, {})
  expect([resumed.status, (resumed.body as { code: string }).code]).toEqual([
    409,
    'run.in_progress',
  ])
})
