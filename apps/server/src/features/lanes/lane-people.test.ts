import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ok, startAuthorityLanes, type AuthorityLanes } from '../../../test/servers/lane-server.ts'
import { cut, json } from '../../../test/servers/run-server.ts'

let { app, read, step, sent } = {} as AuthorityLanes
beforeAll(async () => {
  ;({ app, read, step, sent } = await startAuthorityLanes())
})
afterAll(() => app.close())
beforeEach(() => app.startOver())

describe('a queued run that is cancelled', () => {
  it('is not sent, and the next of its order key takes its turn', async () => {
    const flow = await app.workflow([step()], { lane: { is_strict_order: 1, is_paused: 1 } })
    const [first, second] = [
      await app.put(flow, { orderKey: 'A' }),
      await app.put(flow, { orderKey: 'A' }),
    ]
    expect((await app.show(first.runId)).cancel).toEqual({ is_allowed: true, refusal: null })
    const answer = await app.post(`/api/runs/${first.runId}/cancel`, {})
    expect(answer.status).toBe(200)
    await app.unpause(flow)
    await app.later(0)
    expect((await app.stateOf(first.runId)).state).toBe('cancelled')
    expect((await app.stateOf(second.runId)).state).toBe('succeeded')
    expect(sent()).toHaveLength(1)
    const again = await app.post(`/api/runs/${first.runId}/cancel`, {})
    expect([again.status, (again.body as { code: string }).code]).toEqual([
      409,
      'run.not_cancellable',
    ])
    const audit = await app.server.send('GET', '/api/audit?action=run.cancel', { token: app.token })
    expect(audit.text).toContain('"run_state":"cancelled"')
  })

  it('is refused once a step of it that changes something was sent', async () => {
    const flow = await app.workflow([step(), { endpointId: read, text: '' }])
    app.answer((request, ...rest) => (request.method === 'GET' ? cut : ok)(request, ...rest))
    const { runId } = await app.put(flow)
    await app.settled()
    const answer = await app.post(`/api/runs/${runId}/cancel`, {})
    expect(answer.body).toMatchObject({ message: 'Step 1 of this run was sent.' })
    expect((await app.show(runId)).cancel.is_allowed).toBe(false)
  })
})

describe('what a person does with a run of a lane', () => {
  it('goes on at once, outside of the queue, and counts towards the limits', async () => {
    const flow = await app.workflow([step()], { lane: { per_hour: 2, is_strict_order: 1 } })
    app.answer(json(400, {}))
    const rejected = await app.put(flow)
    await app.settled()
    expect((await app.stateOf(rejected.runId)).state).toBe('rejected')
    await app.put(flow)
    await app.put(flow)
    await app.settled()
    expect(sent()).toHaveLength(2)
    const limited = await app.server.db
      .selectFrom('lane_entry')
      .select('run_id')
      .where('lane_id', '=', flow.laneId)
      .execute()
    expect(limited).toHaveLength(1)
    await app.later(3_600_000 + 30_000)
    expect(sent()).toHaveLength(3)
    app.answer(ok)
    const again = await app.post(`/api/runs/${rejected.runId}/retry`, { from_start: true })
    expect(again.status).toBe(200)
    expect(sent()).toHaveLength(4)
    const { runId } = await app.put(flow)
    await app.later(60_000)
    expect((await app.stateOf(runId)).state).toBe('queued')
  })

  it('may name each of its steps, up to ten, as the screen does', async () => {
    const endpointId = await app.endpoint({ run_settings: { is_duplicate_safe: true } })
    const bodies = Array.from({ length: 10 }, (_, index) => `{"s":${index + 1}}`)
    const flow = await app.workflow(bodies.map((text) => ({ endpointId, text })))
    app.answer((request, ...rest) => (request.body.includes('9') ? cut : ok)(request, ...rest))
    const { runId } = await app.put(flow)
    await app.settled()
    expect((await app.show(runId)).resume).toEqual({ step: 9, refusal: null })
    app.answer(ok)
    const tokens = { endpoint_9: { token: 'typed' }, endpoint_10: { token: '' } }
    const resumed = await app.post(`/api/runs/${runId}/resume`, tokens)
    expect([resumed.status, resumed.body]).toMatchObject([200, { run: { state: 'succeeded' } }])
    expect(app.upstream.received.at(-2)?.headers.authorization).toBe('Bearer typed')
    const eleven = await app.post(`/api/runs/${runId}/resume`, { endpoint_11: { token: '' } })
    expect(eleven.status).toBe(422)
  })
})
