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
let asking: number
beforeAll(async () => {
  app = await startRunServer()
  for (let each = 0; each < 2; each++) posts.push(await app.endpoint())
  const status = await app.endpoint({ method_type: 'get', path: '/status/{uuid}' })
  asking = await app.endpoint({
    path: '/invoices',
    run_settings: {
      reference_path: 'no',
      status_query: {
        endpoint_id: status,
        parameter: 'reference',
        received: {
          statuses: '200',
          conditions: [{ path: 'state', test: 'equals', value: 'ACCEPTED' }],
        },
        not_received: { statuses: '404', conditions: [] },
        reference_path: 'number',
      },
    },
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
const resolve = (id: number, body: unknown, as = app.token) =>
  app.post(`/api/runs/${id}/resolve`, body, as)
const received = { step: 1, verdict: 'received', reference: 'EIN1', note: 'seen on the portal' }
const notReceived = { step: 1, verdict: 'not_received' }

async function unknownRun(steps = [step(0), step(1)]) {
  app.answer(cut)
  const { id } = runOf(await app.tax(steps))
  app.answer(json(200, { id: 7 }))
  return id
}

describe('a person says', () => {
  it('“It was received”: the step counts, and the run goes on with the next', async () => {
    const id = await unknownRun()
    const resolved = await resolve(id, received)
    expect(resolved.status, resolved.text).toBe(200)
    expect(runOf(resolved)).toMatchObject({
      state: 'stopped',
      steps: [{ state: 'succeeded' }, { state: 'waiting' }],
    })
    const [shown] = (await app.show(id)).steps
    expect(shown?.attempts[1]).toMatchObject({
      kind: 'resolved_received',
      outcome: null,
      user_name: 'admin',
      note: 'seen on the portal',
      reference: 'EIN1',
      started_at: '2026-06-01T08:00:00.000Z',
    })
    expect((await app.post(`/api/runs/${id}/resume`, {})).status).toBe(200)
    expect(app.upstream.received.map(({ url }) => url)).toEqual(['/step-1', '/step-2'])
  })

  it('“It was not received”: the same bytes go out again with the same UUID', async () => {
    const id = await unknownRun([step(0, '{ "n" : 0.10 }')])
    expect(runOf(await resolve(id, notReceived))).toMatchObject({ state: 'not_started' })
    expect(app.upstream.received).toHaveLength(1)
    expect(runOf(await app.post(`/api/runs/${id}/resume`, {}))).toMatchObject({
      state: 'succeeded',
    })
    expect(app.upstream.received.map(({ body }) => body)).toEqual([
      '{ "n" : 0.10 }',
      '{ "n" : 0.10 }',
    ])
    expect((await app.show(id)).steps[0]?.attempts.map(({ kind }) => kind)).toEqual([
      'send',
      'resolved_not_received',
      'resend',
    ])
  })

  it('a later step that needs an answer the server never received is blocked, and names it', async () => {
    const id = await unknownRun([step(0), step(1, '{"id":"{{steps.1.body.id}}"}')])
    await resolve(id, received)
    const resumed = await app.post(`/api/runs/${id}/resume`, {})
    expect(runOf(resumed)).toMatchObject({
      state: 'blocked',
      steps: [{}, { message: expect.stringContaining('step 1 left no answer') }],
    })
  })

  it('settles a duplicate from another sender', async () => {
    app.answer(json(208, {}))
    const { id, state } = runOf(await app.tax([step(0)]))
    expect(state).toBe('blocked')
    expect((await app.show(id)).steps[0]?.can.resolve).toBe(true)
    expect(runOf(await resolve(id, received))).toMatchObject({ state: 'succeeded' })
  })

  it.each([
    ['the same', received],
    ['the opposite', notReceived],
  ])('of two people at once one settles it: %s', async (_name, second) => {
    const id = await unknownRun()
    const answers = await Promise.all([resolve(id, received), resolve(id, second)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body).toMatchObject({ code: 'run.not_unknown', run: { id } })
    const [shown] = (await app.show(id)).steps
    expect(shown?.attempts).toHaveLength(2)
  })

  it('a resolve and ten resumes at once never send twice', async () => {
    const id = await unknownRun([step(0)])
    await Promise.all([
      resolve(id, notReceived),
      ...Array.from({ length: 10 }, () => app.post(`/api/runs/${id}/resume`, {})),
    ])
    await app.post(`/api/runs/${id}/resume`, {})
    expect(app.upstream.received).toHaveLength(2)
  })

  it('409 for what is known, 404 for no such step, 422 for no verdict, 403 without run.resolve', async () => {
    const { id } = runOf(await app.tax([step(0)]))
    expect((await resolve(id, received)).body).toMatchObject({ code: 'run.not_unknown' })
    expect((await resolve(id, { ...received, step: 3 })).status).toBe(404)
    expect((await resolve(999_999, received)).status).toBe(404)
    expect((await resolve(id, { step: 1 })).status).toBe(422)
    const resumer = await app.server.buildUser({ permissions: ['run.view', 'run.resume'] })
    expect((await resolve(id, received, resumer.token)).status).toBe(403)
  })
})

describe('the status query', () => {
  const ask = (id: number) => app.post(`/api/runs/${id}/status-query`, { step: 1 })
  const open = (no: string) =>
    unknownRun([{ end_point: asking, body: `{"no":"${no}","uuid":"u/${no}"}` }])

  it('asks with the reference and what the path needs, and takes “received” for it', async () => {
    const id = await open('INV-1')
    app.answer(json(200, { state: 'ACCEPTED', number: 'EIN9' }))
    const asked = await ask(id)
    expect(asked.status, asked.text).toBe(200)
    expect(asked.body).toMatchObject({ verdict: 'received', run: { state: 'succeeded' } })
    expect(app.upstream.received[1]).toMatchObject({
      method: 'GET',
      url: '/status/u%2FINV-1?reference=INV-1',
    })
    expect((await app.show(id)).steps[0]?.attempts[1]).toMatchObject({
      kind: 'status_query',
      status: 200,
      user_name: 'admin',
      reference: 'EIN9',
    })
  })

  it('takes “not received” for it: the step may be sent again', async () => {
    const id = await open('INV-2')
    const sentAt = app.server.time.now
    app.answer(json(404, {}))
    app.server.time.now = new Date(sentAt.getTime() + 120_000)
    expect((await ask(id)).body).toMatchObject({ verdict: 'undecided', because: 'said_once' })
    app.server.time.now = new Date(sentAt.getTime() + 150_000)
    expect((await ask(id)).body).toMatchObject({
      verdict: 'not_received',
      run: { state: 'not_started' },
    })
    app.server.time.now = sentAt
  })

  it.each<[string, Answerer]>([
    ['an answer that no rule fits', json(200, { state: 'PENDING' })],
    ['an error', json(500, {})],
    ['no answer', cut],
  ])('%s decides nothing, and is kept', async (_name, answer) => {
    const id = await open(`INV-3-${++content}`)
    app.answer(answer)
    expect((await ask(id)).body).toMatchObject({ verdict: 'undecided', run: { state: 'unknown' } })
    expect((await app.show(id)).steps[0]).toMatchObject({
      state: 'unknown',
      attempts: [{}, { kind: 'status_query' }],
      can: { resolve: true, status_query: true },
    })
  })

  it('409 where none is set, and where the step is known', async () => {
    const without = await unknownRun([step(0)])
    expect((await ask(without)).body).toMatchObject({ code: 'run.no_status_query' })
    const { id } = runOf(await app.tax([step(0)]))
    expect((await ask(id)).body).toMatchObject({ code: 'run.not_unknown' })
  })
})
