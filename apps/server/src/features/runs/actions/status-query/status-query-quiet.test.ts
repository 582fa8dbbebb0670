import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  cut,
  json,
  runOf,
  startRunServer,
  type RunServer,
} from '../../../../../test/servers/run-server.ts'

let app: RunServer
let invoices: number
let quick: number
beforeAll(async () => {
  app = await startRunServer()
  const endpoint_id = await app.endpoint({ method_type: 'get', path: '/status' })
  const query = {
    endpoint_id,
    parameter: 'no',
    received: { statuses: '200' },
    not_received: { statuses: '404' },
  }
  const submit = (status_query: object) =>
    app.endpoint({
      run_settings: { reference_path: 'no', is_duplicate_safe: true, status_query },
    })
  invoices = await submit(query)
  quick = await submit({ ...query, quiet_seconds: 5 })
})
afterAll(() => app.close())
beforeEach(() => {
  app.server.time.now = new Date('2026-06-01T08:00:00Z')
})

let content = 0
const body = () => `{"no":"Q-${++content}"}`
const later = (seconds: number) => {
  app.server.time.now = new Date(app.server.time.now.getTime() + seconds * 1000)
}

/** Sent at 08:00:00 with an unknown outcome. */
async function sent(end_point = invoices) {
  app.answer(cut)
  const { id } = runOf(await app.tax([{ end_point, body: body() }]))
  return id
}
const ask = async (id: number, status: number) => {
  app.answer(json(status, {}))
  return (await app.post(`/api/runs/${id}/status-query`, { step: 1 })).body
}
const tooEarly = { verdict: 'undecided', because: 'too_early', run: { state: 'unknown' } }
const decided = { verdict: 'not_received', because: null, run: { state: 'not_started' } }

it('an endpoint that became a submit by an earlier version is not asked', async () => {
  const id = await sent()
  const { status_endpoint_id } = (await app.server.stores.endpoints.find(invoices))!
  const become = (effect: string) =>
    app.server.db
      .updateTable('endpoint')
      .set({ run_settings: JSON.stringify({ effect }) })
      .where('id', '=', status_endpoint_id!)
      .execute()
  await become('submit')
  const received = app.upstream.received.length
  expect(await ask(id, 404)).toMatchObject({ code: 'run.no_status_query' })
  expect(app.upstream.received).toHaveLength(received)
  await become('')
})

describe('“not found”', () => {
  it('settles nothing right after a time-out, and says when to ask again', async () => {
    const id = await sent()
    later(119)
    const asked = await ask(id, 404)
    expect(asked).toMatchObject({
      ...tooEarly,
      ask_again_after: '2026-06-01T08:02:00.000Z',
      message:
        'Asked too early: the endpoint may still be working on it. Ask again after 08:02:00 UTC.',
    })
    expect(await app.show(id)).toMatchObject({
      correct: { is_allowed: false },
      steps: [
        {
          state: 'unknown',
          inquiry: {
            quiet_seconds: 120,
            negatives: 0,
            negatives_needed: 2,
            ask_again_after: '2026-06-01T08:02:00.000Z',
          },
          attempts: [{}, { kind: 'status_query', detail: expect.stringContaining('too early') }],
        },
      ],
    })
  })

  it('counts after the quiet period, and only when it is said twice, 30 s apart', async () => {
    const id = await sent()
    await ask(id, 404)
    later(120)
    expect(await ask(id, 404)).toMatchObject({
      verdict: 'undecided',
      because: 'said_once',
      ask_again_after: '2026-06-01T08:02:30.000Z',
    })
    later(29)
    expect(await ask(id, 404)).toMatchObject({
      verdict: 'undecided',
      because: 'too_soon',
      ask_again_after: '2026-06-01T08:02:30.000Z',
    })
    expect((await app.show(id)).steps[0]?.inquiry).toMatchObject({ negatives: 1 })
    later(1)
    expect(await ask(id, 404)).toMatchObject(decided)
    // What was settled so is settled: a refusal of the next attempt speaks of the document again.
    app.answer(json(422, {}))
    const resumed = await app.post(`/api/runs/${id}/resume`, {})
    expect(runOf(resumed)).toMatchObject({ state: 'rejected' })
  })

  it('of two people who ask at once counts once', async () => {
    const id = await sent()
    later(120)
    app.answer(json(404, {}))
    const both = [1, 2].map(() => app.post(`/api/runs/${id}/status-query`, { step: 1 }))
    for (const { body: asked } of await Promise.all(both))
      expect(asked).toMatchObject({ verdict: 'undecided' })
    expect((await app.show(id)).steps[0]?.inquiry).toMatchObject({ negatives: 1 })
  })

  it('begins again with each attempt that may have arrived', async () => {
    const id = await sent()
    later(120)
    await ask(id, 404)
    later(60)
    app.answer(cut)
    await app.post(`/api/runs/${id}/resume`, {})
    expect(await ask(id, 404)).toMatchObject({
      ...tooEarly,
      ask_again_after: '2026-06-01T08:05:00.000Z',
    })
    later(120)
    expect(await ask(id, 404)).toMatchObject({ verdict: 'undecided', because: 'said_once' })
    later(30)
    expect(await ask(id, 404)).toMatchObject(decided)
  })

  it('waits as long as the run settings say, and no longer between two answers', async () => {
    const id = await sent(quick)
    later(4)
    expect(await ask(id, 404)).toMatchObject(tooEarly)
    later(1)
    await ask(id, 404)
    later(5)
    expect(await ask(id, 404)).toMatchObject(decided)
  })

  it('waits after a crash until the attempt can no longer be open', async () => {
    const id = await sent()
    await app.server.db
      .updateTable('run_attempt')
      .set({ outcome: 'crash', finished_at: '2026-06-01T08:00:00.000Z' })
      .where('outcome', '=', 'cut')
      .where('started_at', '=', '2026-06-01T08:00:00.000Z')
      .execute()
    // Its API waits 300 ms for a connection and 300 ms for an answer.
    expect(await ask(id, 404)).toMatchObject({ ask_again_after: '2026-06-01T08:02:00.600Z' })
  })

  it('never settles while an attempt is open', async () => {
    const id = await sent()
    later(600)
    await ask(id, 404)
    later(600)
    const open = (finished_at: string | null) =>
      app.server.db
        .updateTable('run_attempt')
        .set({ outcome: finished_at === null ? null : 'cut', finished_at })
        .where('kind', '=', 'send')
        .where('step_id', 'in', (step) =>
          step.selectFrom('run_step').select('id').where('run_id', '=', id),
        )
        .execute()
    await open(null)
    expect(await ask(id, 404)).toMatchObject({
      verdict: 'undecided',
      because: 'under_way',
      ask_again_after: null,
    })
    await open('2026-06-01T08:00:00.000Z')
  })
})

it('“received” counts at once', async () => {
  const id = await sent()
  expect(await ask(id, 200)).toMatchObject({ verdict: 'received', run: { state: 'succeeded' } })
})

it('an answer that decides nothing neither counts nor takes back', async () => {
  const id = await sent()
  later(120)
  await ask(id, 404)
  later(20)
  expect(await ask(id, 500)).toMatchObject({ verdict: 'undecided', because: 'unclear' })
  later(10)
  expect(await ask(id, 404)).toMatchObject(decided)
})
