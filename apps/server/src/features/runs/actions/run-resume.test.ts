import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  cut,
  json,
  runOf,
  startRunServer,
  type Answerer,
  type RunServer,
} from '../../../../test/servers/run-server.ts'

let app: RunServer
const posts: number[] = []
let keyed: number
let safe: number
beforeAll(async () => {
  app = await startRunServer()
  for (let each = 0; each < 3; each++) posts.push(await app.endpoint())
  keyed = await app.endpoint({ run_settings: { idempotency_header: 'X-Request-Key' } })
  safe = await app.endpoint({
    run_settings: { is_duplicate_safe: true, idempotency_header: 'X-Request-Key' },
  })
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(json(200, { id: 7 }))
})

let content = 0
const fresh = () => `{"n":${++content}}`
const step = (index: number, body = fresh()) => ({ end_point: posts[index] ?? 0, body })
/** Answers by path: the last part of the path, or 200. */
const at =
  (path: string, answer: Answerer): Answerer =>
  (request, response, socket) =>
    (request.url === path ? answer : json(200, { id: 7 }))(request, response, socket)
const resume = (id: number, body: unknown = {}, as = app.token) =>
  app.post(`/api/runs/${id}/resume`, body, as)
const paths = () => app.upstream.received.map(({ url }) => url)

describe('Resume', () => {
  it('goes on with the first step that did not succeed, and reuses the answers before it', async () => {
    app.answer(at('/step-2', json(401, {})))
    const failed = await app.tax([step(0), step(1, '{"id":"{{steps.1.body.id}}"}'), step(2)])
    expect(runOf(failed)).toMatchObject({ state: 'blocked' })
    app.answer(json(200, { id: 8 }))
    const resumed = await resume(runOf(failed).id, { endpoint_2: { token: 'other' } })
    expect(resumed.status, resumed.text).toBe(200)
    expect(resumed.body).toMatchObject({
      message: 'Request sent successfully!',
      run: { state: 'succeeded' },
    })
    expect(paths()).toEqual(['/step-1', '/step-2', '/step-2', '/step-3'])
    const [, before, after] = app.upstream.received
    expect(after?.body).toBe(before?.body)
    expect(after?.body).toBe('{"id":7}')
    expect(after?.headers.authorization).toBe('Bearer other')
  })

  it('waits for what the endpoint asked for', async () => {
    app.answer(json(429, {}, { 'retry-after': '30' }))
    const failed = await app.tax([step(0)])
    const early = await resume(runOf(failed).id)
    expect(early.status).toBe(409)
    expect(early.body).toMatchObject({ code: 'run.not_resumable' })
    expect(Number(early.headers['retry-after'])).toBe(30)
    const shown = await app.show(runOf(failed).id)
    expect(shown).toMatchObject({
      resume: { step: null },
      steps: [{ not_before: '2026-06-01T08:00:30.000Z' }],
    })
    app.server.time.now = new Date('2026-06-01T08:00:31Z')
    app.answer(json(200, {}))
    expect((await resume(runOf(failed).id)).status).toBe(200)
    app.server.time.now = new Date('2026-06-01T08:00:00Z')
  })

  it.each<[string, Answerer, string]>([
    ['rejected', json(422, {}), 'run.not_resumable'],
    ['unknown', cut, 'run.not_resumable'],
    ['a duplicate from another sender', json(208, {}), 'run.not_resumable'],
    ['succeeded', json(200, {}), 'run.not_resumable'],
  ])('refuses a run that is %s', async (_name, answer, code) => {
    app.answer(answer)
    const { id } = runOf(await app.tax([step(0)]))
    const refused = await resume(id)
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ code })
    expect(app.upstream.received).toHaveLength(1)
  })

  it('sends an unknown step again where that is safe: the same bytes, the same UUID', async () => {
    app.answer(cut)
    const { id } = runOf(await app.tax([{ end_point: safe, body: ' {"n": 1.0}\n' }, step(1)]))
    app.answer(at(app.upstream.received[0]?.url ?? '', json(208, {})))
    const resumed = await resume(id)
    expect(runOf(resumed)).toMatchObject({
      state: 'succeeded',
      steps: [{ outcome: 'ok_duplicate' }, {}],
    })
    const [first, second] = app.upstream.received
    expect(second?.body).toBe(' {"n": 1.0}\n')
    expect(second?.headers['x-request-key']).toBe(first?.headers['x-request-key'])
    const [shown] = (await app.show(id)).steps
    expect(shown?.uuid).toBe(first?.headers['x-request-key'])
    expect(shown?.attempts.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['send', 'cut'],
      ['resend', 'ok_duplicate'],
    ])
  })

  it('keeps an unknown step unknown when the resend gets nowhere', async () => {
    app.answer(cut)
    const { id } = runOf(await app.tax([{ end_point: safe, body: fresh() }]))
    app.answer(json(503, {}))
    expect(runOf(await resume(id))).toMatchObject({ state: 'unknown' })
  })

  it('of ten at once one goes on, and the step is sent once', async () => {
    app.answer(json(401, {}))
    const { id } = runOf(await app.tax([step(0)]))
    app.answer(json(200, {}))
    const answers = await Promise.all(Array.from({ length: 10 }, () => resume(id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
    expect(app.upstream.received).toHaveLength(2)
  })

  it('refuses when the same content was sent by another run meanwhile', async () => {
    app.answer(json(401, {}))
    const body = fresh()
    const first = runOf(await app.tax([step(0, body)], { key: 'key-number-1' }))
    app.answer(json(200, {}))
    const second = runOf(await app.tax([step(0, body)], { key: 'key-number-2' }))
    const refused = await resume(first.id)
    expect(refused.body).toMatchObject({
      code: 'run.superseded',
      message: `Run ${second.id} was sent in its place.`,
    })
  })

  it('never follows an API to another address with bytes that were sent before', async () => {
    const api = await app.createApi({ name: 'Moving' })
    const endpoint = await app.endpoint({}, api)
    app.answer(json(401, {}))
    const { id } = runOf(await app.tax([{ end_point: endpoint, body: fresh() }]))
    await app.server.db
      .updateTable('api')
      .set({ api_url: 'http://127.0.0.1:9' })
      .where('id', '=', api)
      .execute()
    const refused = await resume(id)
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({
      errors: { 'endpoint_1.end_point': [expect.stringContaining('another address')] },
    })
  })

  it('builds again what was never sent, once the address is right', async () => {
    const api = await app.createApi({ name: 'Mistyped', api_url: 'http://127.0.0.1:9' })
    const endpoint = await app.endpoint({}, api)
    const failed = runOf(await app.tax([{ end_point: endpoint, body: fresh() }]))
    expect(failed.state).toBe('not_started')
    await app.server.db
      .updateTable('api')
      .set({ api_url: app.upstream.url })
      .where('id', '=', api)
      .execute()
    expect((await resume(failed.id)).status).toBe(200)
    expect((await app.show(failed.id)).steps[0]?.url).toContain(app.upstream.url)
  })

  it('422 for an endpoint that may no longer be called, 404 for no run, 403 without run.resume', async () => {
    app.answer(json(401, {}))
    const { id } = runOf(await app.tax([{ end_point: keyed, body: fresh() }]))
    const viewer = await app.server.buildUser({
      permissions: ['run.view', 'run.resume', 'tax.send'],
    })
    expect((await resume(id, {}, viewer.token)).body).toMatchObject({
      errors: { 'endpoint_1.end_point': ['None of your roles has access to this endpoint.'] },
    })
    expect((await resume(999_999)).status).toBe(404)
    const other = await app.server.buildUser({ permissions: ['run.view'] })
    expect((await resume(id, {}, other.token)).status).toBe(403)
  })
})
