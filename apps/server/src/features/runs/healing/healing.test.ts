import type { RunDetail } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ok, startLaneServer, type LaneServer } from '../../../../test/servers/lane-server.ts'
import { cut, json, runOf, type Answerer } from '../../../../test/servers/run-server.ts'

// Runs of machines whose outcome is unknown heal by themselves (spec: healing).

const longSessions = { SESSION_IDLE_HOURS: '720', SESSION_MAX_HOURS: '8760' }

let app: LaneServer
let status: number
beforeAll(async () => {
  app = await startLaneServer(longSessions)
  status = await app.endpoint({ method_type: 'get', path: '/status/{n}' })
})
afterAll(() => app.close())

/** What the authority answers to a submit, and to the question about it. */
let submit: Answerer
let about: Answerer
beforeEach(async () => {
  await app.startOver()
  await app.server.db.deleteFrom('healing_step').execute()
  // What the tests before have left unknown.
  await app.server.db
    .updateTable('run')
    .set({ state: 'not_started', unknown_since: null })
    .where('state', '=', 'unknown')
    .execute()
  submit = cut
  about = json(404, {})
  app.answer((request, ...rest) => (request.method === 'GET' ? about : submit)(request, ...rest))
})

const quietSeconds = 60
const quietMs = quietSeconds * 1_000
const hourMs = 3_600_000

const asked = (settings: Record<string, unknown> = {}) => ({
  reference_path: 'n',
  idempotency_header: 'Request-Id',
  status_query: {
    endpoint_id: status,
    parameter: 'n',
    received: { statuses: '200' },
    not_received: { statuses: '404' },
    pending: { statuses: '202' },
    rejected: { statuses: '410' },
    quiet_seconds: quietSeconds,
  },
  ...settings,
})
const submitting = (run_settings: Record<string, unknown>) => app.endpoint({ run_settings })

let count = 0
async function unknownRun(settings: Record<string, unknown>, lane = {}, orderKey?: string) {
  const endpointId = await submitting(settings)
  const flow = await app.workflow([{ endpointId, text: '{"n":"{{input.n}}"}' }], { lane })
  const { runId } = await put(flow, orderKey)
  await app.settled()
  expect((await app.stateOf(runId)).state).toBe('unknown')
  return { flow, runId, endpointId }
}
const put = (flow: Parameters<LaneServer['put']>[0], orderKey: string | null = null) =>
  app.put(flow, { orderKey, inputText: JSON.stringify({ n: `H-${++count}` }) })

async function heal(ms = 0) {
  await app.later(ms)
  await app.server.healing.round()
  await app.server.healing.idle()
  await app.later(0)
}
const submits = () => app.upstream.received.filter(({ method }) => method === 'POST')
const questions = () => app.upstream.received.filter(({ method }) => method === 'GET')
const attemptsOf = (run: RunDetail) => run.steps[0]?.attempts ?? []

describe('where a status query is set, it is asked', () => {
  it('after the quiet period, and “received” settles the step', async () => {
    const { runId } = await unknownRun(asked())
    about = json(200, {})
    await heal()
    await heal(quietMs - 1_000)
    expect(questions()).toEqual([])
    expect((await app.show(runId)).steps[0]?.healing).toMatchObject({ plan: 'ask', tries: 0 })
    await heal(2_000)
    const run = await app.show(runId)
    expect(run).toMatchObject({ state: 'succeeded' })
    expect(run.steps[0]).toMatchObject({ healing: null, documents: [{ state: 'accepted' }] })
    expect(attemptsOf(run).at(-1)).toMatchObject({
      kind: 'status_query',
      user_name: 'Gatehouse',
      note: 'Healing: the outcome was unknown.',
    })
    expect([submits(), questions()].map(({ length }) => length)).toEqual([1, 1])
    expect(await app.server.db.selectFrom('healing_step').selectAll().execute()).toEqual([])
  })

  it('and the steps that are left are carried out by the lane', async () => {
    const first = await submitting(asked())
    const second = await submitting({})
    const flow = await app.workflow([
      { endpointId: first, text: '{"n":"{{input.n}}"}' },
      { endpointId: second, text: '{"second":1}' },
    ])
    const { runId } = await put(flow)
    await app.settled()
    submit = ok
    about = json(200, {})
    await heal(quietMs + 1_000)
    expect(await app.stateOf(runId)).toEqual({
      state: 'succeeded',
      steps: ['succeeded', 'succeeded'],
    })
    expect(submits().map(({ body }) => body)).toEqual([expect.any(String), '{"second":1}'])
  })

  it('by a person too, also about the last of ten steps', async () => {
    const read = await app.endpoint({ method_type: 'get', path: '/status/first' })
    const endpointId = await submitting(asked())
    const flow = await app.workflow([
      ...Array.from({ length: 9 }, () => ({ endpointId: read, text: '' })),
      { endpointId, text: '{"n":"{{input.n}}"}' },
    ])
    about = json(200, {})
    const { runId } = await put(flow)
    await app.settled()
    about = json(404, {})
    const ask = { step: 10 }
    const answer = await app.post(`/api/runs/${runId}/status-query`, ask)
    expect([answer.status, answer.body]).toMatchObject([200, { verdict: 'undecided' }])
    const verdict = { step: 10, verdict: 'received', note: 'seen there' }
    const said = await app.post(`/api/runs/${runId}/resolve`, verdict)
    expect([said.status, said.body]).toMatchObject([200, { run: { state: 'succeeded' } }])
    const { status: refused, body } = await app.post(`/api/runs/${runId}/resolve`, { step: 11 })
    expect([refused, body]).toMatchObject([422, { errors: { step: expect.anything() } }])
  })

  it('with growing pauses up to half an hour, for a day, and then no more', async () => {
    const { runId } = await unknownRun(asked({ healing: 'ask_and_send' }))
    about = json(500, {})
    const gaps: number[] = []
    let last = 0
    for (let minute = 1; minute < 26 * 60; minute++) {
      const before = questions().length
      await heal(60_000)
      if (questions().length === before) continue
      gaps.push(minute - last)
      last = minute
    }
    expect(gaps.slice(0, 7)).toEqual([1, 1, 2, 4, 8, 16, 30])
    expect(Math.max(...gaps)).toBeLessThanOrEqual(31)
    expect(last).toBeLessThanOrEqual(24 * 60)
    const run = await app.show(runId)
    expect(run).toMatchObject({ state: 'unknown' })
    expect(run.steps[0]?.healing).toMatchObject({ plan: 'given_up', next_at: null })
    // The same answer is kept once.
    expect(attemptsOf(run).filter(({ kind }) => kind === 'status_query')).toHaveLength(1)
    expect(submits()).toHaveLength(1)
  })

  it('and “still in work” makes the step pending: from then on it is polled', async () => {
    const pending = { rule: { statuses: '202' }, parameter_path: '' }
    const { runId } = await unknownRun(asked({ pending }))
    about = json(202, {})
    await heal(quietMs + 1_000)
    const run = await app.show(runId)
    expect(run).toMatchObject({ state: 'pending' })
    expect(run.steps[0]).toMatchObject({
      state: 'pending',
      pending: { tries: 0 },
      documents: [{ state: 'pending' }],
    })
  })

  it('and “rejected” settles it when it was said twice', async () => {
    const { runId } = await unknownRun(asked())
    about = json(410, {})
    await heal(quietMs + 1_000)
    expect((await app.stateOf(runId)).state).toBe('unknown')
    await heal(quietMs + 1_000)
    expect((await app.stateOf(runId)).state).toBe('rejected')
  })
})

describe('what was certainly not received', () => {
  it('is sent again where the endpoint says so: the same bytes and the same UUID', async () => {
    const { runId } = await unknownRun(asked({ healing: 'ask_and_send' }))
    submit = ok
    await heal(quietMs + 1_000)
    expect([(await app.stateOf(runId)).state, submits().length]).toEqual(['unknown', 1])
    await heal(quietMs / 2)
    expect(questions()).toHaveLength(1)
    await heal(quietMs / 2 + 1_000)
    const run = await app.show(runId)
    expect(run.state).toBe('succeeded')
    const [first, second, ...more] = submits()
    expect(more).toEqual([])
    expect(second?.body).toBe(first?.body)
    expect(second?.headers['request-id']).toBe(first?.headers['request-id'])
    expect(attemptsOf(run).map(({ kind, note }) => [kind, note])).toEqual([
      ['send', null],
      ['status_query', 'Healing: the outcome was unknown.'],
      ['status_query', 'Healing: it was not received, so it is sent again.'],
      ['resend', null],
    ])
  })

  it('by default is left to a person', async () => {
    const { runId } = await unknownRun(asked())
    submit = ok
    for (let time = 0; time < 5; time++) await heal(quietMs + 1_000)
    expect((await app.stateOf(runId)).state).toBe('not_started')
    expect(submits()).toHaveLength(1)
  })

  it('has to be said twice, the quiet period apart: a question of a person beside it is not enough', async () => {
    const { runId } = await unknownRun(asked({ healing: 'ask_and_send' }))
    submit = ok
    await app.later(quietMs + 1_000)
    const byHand = await app.post(`/api/runs/${runId}/status-query`, { step: 1 })
    expect(byHand.body).toMatchObject({ because: 'said_once' })
    await heal(31_000)
    expect(questions()).toHaveLength(2)
    expect(submits()).toHaveLength(1)
    await heal(quietMs + 1_000)
    expect((await app.stateOf(runId)).state).toBe('succeeded')
    expect(submits()).toHaveLength(2)
  })

  it.each<[string, Answerer]>([
    ['an error', json(503, {})],
    ['no answer', cut],
    ['an answer that no rule names', json(204, '')],
    ['a refused sign-in', json(401, {})],
  ])('is never concluded from %s', async (_, answer) => {
    const { runId } = await unknownRun(asked({ healing: 'ask_and_send' }))
    submit = ok
    about = answer
    for (let hour = 0; hour < 30; hour++) await heal(hourMs)
    expect((await app.stateOf(runId)).state).toBe('unknown')
    expect(submits()).toHaveLength(1)
  })

  it('keeps its deadline: after it, nothing is sent', async () => {
    const { flow, runId } = await unknownRun(asked({ healing: 'ask_and_send' }), {
      max_age_minutes: 10,
    })
    submit = ok
    const paused = { is_paused: 1 as const }
    await app.server.db.updateTable('lane').set(paused).where('id', '=', flow.laneId).execute()
    await heal(quietMs + 1_000)
    await heal(quietMs + 1_000)
    const run = await app.show(runId)
    expect(run).toMatchObject({
      state: 'queued',
      queue: { deadline_at: new Date(Date.parse(run.created_at) + 600_000).toISOString() },
    })
    const open = { is_paused: 0 as const }
    await app.later(600_000)
    await app.server.db.updateTable('lane').set(open).where('id', '=', flow.laneId).execute()
    await app.later(1_000)
    expect((await app.stateOf(runId)).state).toBe('not_started')
    expect(submits()).toHaveLength(1)
  })

  it('goes before later runs of its order key where order is strict', async () => {
    const strict = { is_strict_order: 1 as const }
    const { flow, runId } = await unknownRun(asked({ healing: 'ask_and_send' }), strict, 'A')
    submit = ok
    const later = await put(flow, 'A')
    await heal(quietMs + 1_000)
    expect((await app.stateOf(later.runId)).state).toBe('queued')
    await heal(quietMs + 1_000)
    await app.later(1_000)
    expect((await app.stateOf(runId)).state).toBe('succeeded')
    expect((await app.stateOf(later.runId)).state).toBe('succeeded')
    const bodies = submits().map(({ body }) => body)
    expect(bodies[1]).toBe(bodies[0])
    expect(bodies).toHaveLength(3)
  })
})

describe('where no status query is set and the endpoint is duplicate-safe', () => {
  const safe = {
    reference_path: 'n',
    is_duplicate_safe: true,
    duplicate_safe_minutes: 60,
    healing: 'ask_and_send',
  }

  it('the same bytes are repeated; the duplicate answer settles the step', async () => {
    const { runId } = await unknownRun(safe)
    submit = json(503, {})
    await heal(121_000)
    expect([(await app.stateOf(runId)).state, submits().length]).toEqual(['unknown', 2])
    submit = json(208, {})
    for (let minute = 0; minute < 10; minute++) await heal(60_000)
    const run = await app.show(runId)
    expect(run.state).toBe('succeeded')
    expect(new Set(submits().map(({ body }) => body)).size).toBe(1)
    expect(attemptsOf(run).at(-1)).toMatchObject({
      kind: 'resend',
      outcome: 'ok_duplicate',
      user_name: 'Gatehouse',
      note: 'Healing: the outcome was unknown.',
    })
  })

  it('an authority that has stored it and loses its answers is sent the same bytes until it says so, and has it once', async () => {
    const seen: { body: string; id: string | undefined }[] = []
    const stored = new Set<string>()
    submit = (request, ...rest) => {
      seen.push({ body: request.body, id: request.headers['request-id'] as string | undefined })
      const isNew = !stored.has(request.body)
      stored.add(request.body)
      return (isNew || seen.length < 3 ? cut : json(208, {}))(request, ...rest)
    }
    const { runId } = await unknownRun({ ...safe, idempotency_header: 'Request-Id' })
    for (let minute = 0; minute < 20; minute++) await heal(60_000)
    const run = await app.show(runId)
    expect(run.state).toBe('succeeded')
    expect(run.steps[0]).toMatchObject({ healing: null, documents: [{ state: 'accepted' }] })
    expect(attemptsOf(run).map(({ outcome }) => outcome)).toEqual(['cut', 'cut', 'ok_duplicate'])
    // After the answer nothing is sent any more.
    expect(seen).toEqual([seen[0], seen[0], seen[0]])
    expect(seen[0]?.id).toMatch(/^[0-9a-f-]{36}$/)
    expect(stored.size).toBe(1)
  })

  it('nothing is repeated after its window', async () => {
    const { runId } = await unknownRun(safe)
    for (let hour = 0; hour < 2; hour++) await heal(hourMs)
    const before = submits().length
    for (let hour = 0; hour < 5; hour++) await heal(hourMs)
    expect(submits()).toHaveLength(before)
    expect((await app.show(runId)).steps[0]?.healing).toMatchObject({ plan: 'given_up' })
  })

  it('nothing is repeated where the endpoint does not say so', async () => {
    const { runId } = await unknownRun({ ...safe, healing: '' })
    for (let minute = 0; minute < 50; minute++) await heal(60_000)
    expect(submits()).toHaveLength(1)
    expect((await app.show(runId)).steps[0]?.healing).toMatchObject({ plan: 'off' })
  })
})

describe('nothing is done', () => {
  it('about a run that a person has sent by hand', async () => {
    const end_point = await submitting(asked({ healing: 'ask_and_send' }))
    await app.tax([{ end_point, body: JSON.stringify({ n: `by-hand-${++count}` }) }])
    for (let hour = 0; hour < 3; hour++) await heal(hourMs)
    expect(questions()).toEqual([])
  })

  it('where the endpoint wants none', async () => {
    await unknownRun(asked({ healing: 'off' }))
    for (let hour = 0; hour < 3; hour++) await heal(hourMs)
    expect(questions()).toEqual([])
  })
})

it('takes a quarter of the limits of its lane at most, one question at a time', async () => {
  const endpointId = await submitting(asked())
  // 60 in a minute: one question in four seconds.
  const flow = await app.workflow([{ endpointId, text: '{"n":"{{input.n}}"}' }], {
    lane: { per_minute: 60, concurrency: 8 },
  })
  for (let run = 0; run < 3; run++) {
    await put(flow)
    await app.later(1_000)
  }
  about = json(500, {})
  await heal()
  await heal(quietMs + 10_000)
  const counts = [questions().length]
  for (let second = 0; second < 8; second++) {
    await heal(1_000)
    counts.push(questions().length)
  }
  expect(counts).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 3])
})

describe('the installation decides at most', () => {
  it.each(['ask', 'off'] as const)('%s', async (HEALING) => {
    const other = await startLaneServer({ HEALING })
    try {
      const query = await other.endpoint({ method_type: 'get', path: '/status/{n}' })
      const settings = asked({ healing: 'ask_and_send' })
      const run_settings = {
        ...settings,
        status_query: { ...settings.status_query, endpoint_id: query },
      }
      const endpointId = await other.endpoint({ run_settings })
      const flow = await other.workflow([{ endpointId, text: '{"n":"{{input.n}}"}' }])
      other.answer(cut)
      await other.put(flow, { inputText: '{"n":"X-1"}' })
      await other.settled()
      other.answer(json(404, {}))
      for (let hour = 0; hour < 3; hour++) {
        await other.later(hourMs)
        await other.server.healing.round()
        await other.server.healing.idle()
        await other.later(0)
      }
      const methods = other.upstream.received.map(({ method }) => method)
      expect(methods).toEqual(HEALING === 'off' ? ['POST'] : ['POST', 'GET', 'GET'])
    } finally {
      await other.close()
    }
  })
})

describe('what a person sends by hand', () => {
  const byHand = async (heal: boolean) => {
    const endpointId = await submitting(asked({ healing: 'ask_and_send' }))
    const body = JSON.stringify({ n: `H-${++count}` })
    const { id } = runOf(
      await app.post('/api/tax', { endpoint_1: { end_point: endpointId, body }, heal }),
    )
    expect((await app.stateOf(id)).state).toBe('unknown')
    return id
  }

  it('is healed only where it was ticked', async () => {
    const [ticked, other] = [await byHand(true), await byHand(false)]
    about = json(200, {})
    await heal(quietMs + 1_000)
    await heal()
    expect((await app.stateOf(ticked)).state).toBe('succeeded')
    expect((await app.stateOf(other)).state).toBe('unknown')
    expect(questions()).toHaveLength(1)
  })

  it('and is not sent again without its person', async () => {
    const id = await byHand(true)
    submit = ok
    for (let time = 0; time < 4; time++) await heal(quietMs + 1_000)
    expect((await app.stateOf(id)).state).toBe('not_started')
    expect(submits()).toHaveLength(1)
  })
})
