import type { ChosenAnswer, UnclearRun } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startLaneServer, type LaneServer } from '../../../../test/servers/lane-server.ts'
import { cut, json, runOf, type Answerer } from '../../../../test/servers/run-server.ts'

// The work list of unclear runs, and what is done to several of them (spec: unclear).

let app: LaneServer
let status: number
let asked: number
let safe: number
let plain: number
beforeAll(async () => {
  app = await startLaneServer()
  status = await app.endpoint({ method_type: 'get', path: '/status/{n}' })
  asked = await app.endpoint({
    path: '/asked',
    run_settings: {
      reference_path: 'n',
      status_query: {
        endpoint_id: status,
        parameter: 'n',
        received: { statuses: '200' },
        not_received: { statuses: '404' },
        quiet_seconds: 1,
      },
    },
  })
  safe = await app.endpoint({
    path: '/safe',
    run_settings: {
      is_duplicate_safe: true,
      idempotency_header: 'Request-Id',
      duplicate_safe_minutes: 1440,
      duplicate_rule: { statuses: '409' },
    },
  })
  plain = await app.endpoint({ path: '/plain' })
})
afterAll(() => app.close())

let submit: Answerer
let about: Answerer
beforeEach(async () => {
  await app.startOver()
  await app.server.db.deleteFrom('healing_step').execute()
  await app.server.db
    .updateTable('run')
    .set({ state: 'cancelled', unknown_since: null })
    .where('state', 'in', ['unknown', 'blocked', 'stopped', 'not_started', 'rejected'])
    .execute()
  submit = cut
  about = json(200, {})
  app.answer((request, ...rest) => (request.method === 'GET' ? about : submit)(request, ...rest))
})

let count = 0
async function unknownRun(endpoint: number) {
  const reference = `U-${++count}`
  const { id } = runOf(
    await app.tax([{ end_point: endpoint, body: JSON.stringify({ n: reference }) }]),
  )
  return { id, reference }
}
async function failedRun(httpStatus: number, endpoint = plain) {
  submit = json(httpStatus, {})
  const run = await unknownRun(endpoint)
  submit = cut
  return run
}
async function unclear(query = '', token = app.token) {
  const answer = await app.server.send('GET', `/api/runs/unclear?limit=100&${query}`, { token })
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as [{ data: UnclearRun[] }])[0].data
}
async function several(action: string, body: unknown, token = app.token) {
  const answer = await app.post(`/api/runs/bulk/${action}`, body, token)
  expect(answer.status, answer.text).toBe(200)
  return answer.body as ChosenAnswer
}
const auditsOf = async (id: number) => {
  const { body } = await app.server.send('GET', `/api/audit?thing=run&thing_id=${id}`, {
    token: app.token,
  })
  return (body as [{ data: { action: string }[] }])[0].data.map(({ action }) => action)
}
const sent = () => app.upstream.received.filter(({ method }) => method === 'POST').length

describe('the work list', () => {
  it('has what is unknown, blocked or stopped, the oldest first, and nothing that was refused or accepted', async () => {
    const unknown = await unknownRun(asked)
    const blocked = await failedRun(401)
    const stopped = await failedRun(429)
    await failedRun(400)
    await failedRun(200)
    expect((await unclear()).map(({ id }) => id)).toEqual([unknown.id, blocked.id, stopped.id])
    expect((await unclear('state=blocked')).map(({ id }) => id)).toEqual([blocked.id])
    expect((await unclear(`endpoint=${asked}`)).map(({ id }) => id)).toEqual([unknown.id])
  })

  it('says since when, why, and what the caller may do', async () => {
    const { id, reference } = await unknownRun(asked)
    const stopped = await failedRun(401)
    const [first, second] = await unclear()
    expect(first).toMatchObject({
      id,
      state: 'unknown',
      since: app.server.time.now.toISOString(),
      step: { position: 1, state: 'unknown', outcome: 'cut', endpoint_id: asked },
      healing: null,
      can: { ask: true, resume: false, resolve: true, close: false },
    })
    expect(first?.step?.message).toBeTruthy()
    expect(reference).toBe(first?.reference)
    expect(second).toMatchObject({
      id: stopped.id,
      step: { outcome: 'auth', status: 401 },
      can: { ask: false, resume: true, resolve: false, close: true },
    })
    const viewer = await app.person(['run.view'])
    for (const { can } of await unclear('', viewer.token))
      expect(can).toEqual({ ask: false, resume: false, resolve: false, close: false })
  })

  it('says what healing has tried, what came of it, and when it tries next', async () => {
    const flow = await app.workflow([{ endpointId: asked, text: '{"n":"{{input.n}}"}' }])
    const { runId } = await app.put(flow, { inputText: `{"n":"H-${++count}"}` })
    await app.settled()
    const byHand = await unknownRun(asked)
    about = json(503, {})
    await app.later(2_000)
    await app.server.healing.round()
    await app.server.healing.idle()
    const [first] = await unclear()
    expect(first).toMatchObject({ id: runId, healing: { plan: 'ask', tries: 1 } })
    expect(first?.healing?.last?.at).toBe(app.server.time.now.toISOString())
    expect(Date.parse(first?.healing?.next_at ?? '')).toBeGreaterThan(app.server.time.now.getTime())
    expect((await unclear('healing=1')).map(({ id }) => id)).toEqual([runId])
    expect((await unclear('healing=0')).map(({ id }) => id)).toEqual([byHand.id])
  })
})

describe('several runs at once', () => {
  it('are asked about, each with its own answer and its own audit event', async () => {
    const [one, other, without] = [
      await unknownRun(asked),
      await unknownRun(asked),
      await unknownRun(plain),
    ]
    about = (request, ...rest) =>
      json(request.url.endsWith(one.reference) ? 200 : 500, {})(request, ...rest)
    const { results, next_after } = await several('status-query', {
      ids: [without.id, other.id, one.id, 2_000_000_000],
    })
    expect(next_after).toBeNull()
    expect(results).toMatchObject([
      { id: one.id, reference: one.reference, outcome: 'done', state: 'succeeded' },
      { id: other.id, outcome: 'undecided', state: 'unknown' },
      { id: without.id, outcome: 'refused', state: 'unknown' },
      { id: 2_000_000_000, outcome: 'refused', state: null, reference: null },
    ])
    expect(await auditsOf(one.id)).toContain('run.status_query')
    expect(await auditsOf(without.id)).not.toContain('run.status_query')
  })

  it('are resumed where that is safe: the others send nothing', async () => {
    const [repeatable, risky] = [await unknownRun(safe), await unknownRun(plain)]
    const before = sent()
    submit = json(409, {})
    const { results } = await several('resume', { ids: [repeatable.id, risky.id] })
    expect(results).toMatchObject([
      { outcome: 'done', state: 'succeeded' },
      { outcome: 'refused', state: 'unknown' },
    ])
    expect(sent()).toBe(before + 1)
    expect(await auditsOf(repeatable.id)).toContain('run.resume')
  })

  it('that go on and fail again say so: the call did what it was asked', async () => {
    const { id } = await failedRun(401)
    submit = json(400, {})
    expect((await several('resume', { ids: [id] })).results).toMatchObject([
      { outcome: 'done', state: 'rejected', message: expect.stringContaining('Step 1') },
    ])
  })

  it('are resolved and closed, one by one', async () => {
    const [one, other] = [await unknownRun(plain), await failedRun(401)]
    const resolved = await several('resolve', {
      ids: [one.id, other.id],
      verdict: 'received',
      note: 'Seen in the portal',
    })
    expect(resolved.results).toMatchObject([
      { outcome: 'done', state: 'succeeded' },
      { outcome: 'refused', state: 'blocked' },
    ])
    const closed = await several('close', { ids: [one.id, other.id], reason: 'Sent by hand' })
    expect(closed.results).toMatchObject([
      { outcome: 'refused' },
      { outcome: 'done', state: 'blocked' },
    ])
    expect(await unclear()).toEqual([])
    expect(await auditsOf(other.id)).toContain('run.close')
  })

  it('are all that a filter finds, in pages, and never one that is no open work', async () => {
    const closed = await failedRun(401)
    await several('close', { ids: [closed.id], reason: 'First' })
    const wanted = []
    for (let at = 0; at < 3; at++) wanted.push((await failedRun(401)).id)
    const unknown = await unknownRun(plain)
    const filter = { state: 'blocked', work: 'unclear' }
    const first = await several('close', { filter, reason: 'All', after: wanted[0] })
    expect(first.results.map(({ id }) => id)).toEqual(wanted.slice(1))
    const rest = await several('close', { filter: { work: 'unclear' }, reason: 'All' })
    expect(rest.results).toMatchObject([
      { id: wanted[0], outcome: 'done' },
      { id: unknown.id, outcome: 'refused' },
    ])
    expect(await app.show(closed.id)).toMatchObject({ closed: { reason: 'First' } })
  })

  it('go on where a call has used its time', async () => {
    const ids = [(await unknownRun(asked)).id, (await unknownRun(asked)).id]
    about = (...parts) => {
      app.server.time.now = new Date(app.server.time.now.getTime() + 11_000)
      return json(200, {})(...parts)
    }
    const first = await several('status-query', { ids })
    expect(first).toMatchObject({ results: [{ id: ids[0], outcome: 'done' }], next_after: ids[0] })
    const second = await several('status-query', { ids, after: first.next_after })
    expect(second).toMatchObject({ results: [{ id: ids[1], outcome: 'done' }], next_after: null })
  })

  it('neither, nor both, nor a field that there is not: a 422 on the field', async () => {
    for (const [body, field] of [
      [{ reason: 'x' }, 'ids'],
      [{ reason: 'x', ids: [1], filter: {} }, 'ids'],
      [{ reason: '', ids: [1] }, 'reason'],
      [{ reason: 'x', ids: [] }, 'ids'],
      [{ reason: 'x', filter: { colour: 'red' } }, 'filter.colour'],
    ] as const) {
      const answer = await app.post('/api/runs/bulk/close', body)
      expect(answer.status).toBe(422)
      expect(Object.keys((answer.body as { errors: object }).errors)).toEqual([field])
    }
  })
})

it('while the installation is held, nothing is resumed without the confirmation', async () => {
  const { id } = await unknownRun(safe)
  await app.server.stores.installationHold.begin({
    reason: 'restore',
    backup_made_at: '2026-06-01T07:00:00.000Z',
    held_since: '2026-06-01T07:30:00.000Z',
  })
  submit = json(409, {})
  const refused = await app.post('/api/runs/bulk/resume', { ids: [id] })
  expect(refused).toMatchObject({ status: 409, body: { code: 'installation.held' } })
  const { results } = await several('resume', { ids: [id], confirm_held: true })
  expect(results).toMatchObject([{ outcome: 'done', state: 'succeeded' }])
  await app.server.stores.installationHold.release(app.server.time.now.toISOString())
})
