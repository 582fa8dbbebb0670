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
let post: number
let safe: number
beforeAll(async () => {
  app = await startRunServer()
  post = await app.endpoint({ run_settings: { reference_path: 'no' } })
  const asked = await app.endpoint({ method_type: 'get', path: '/status' })
  safe = await app.endpoint({
    path: '/safe',
    run_settings: {
      reference_path: 'no',
      is_duplicate_safe: true,
      status_query: {
        endpoint_id: asked,
        parameter: 'no',
        received: { statuses: '200' },
        not_received: { statuses: '404' },
      },
    },
  })
})
afterAll(() => app.close())
beforeEach(() => app.answer(json(200, {})))

let content = 0
const carry = (end_point: number, no: string) => ({
  end_point,
  body: `{"no":"${no}","n":${++content}}`,
})
async function sent(answer: Answerer, steps: ReturnType<typeof carry>[]) {
  app.answer(answer)
  const { id } = runOf(await app.tax(steps))
  app.answer(json(200, {}))
  return id
}
const act = (id: number, verb: string, body: unknown = {}, as = app.token) =>
  app.post(`/api/runs/${id}/${verb}`, body, as)
const trail = async (id: number) => {
  const answer = await app.server.send('GET', '/api/audit', {
    token: app.token,
    query: { thing: 'run', thing_id: String(id) },
  })
  return (answer.body as [{ data: Record<string, unknown>[] }])[0].data
}

describe('the audit trail records who decided about a run', () => {
  it('that something was received, with the reference and the note', async () => {
    const id = await sent(cut, [carry(post, 'A-1')])
    const person = await app.person(['run.view', 'run.resolve'], [post])
    const resolution = { step: 1, verdict: 'received', reference: 'EIN-1', note: 'by phone' }
    await act(id, 'resolve', resolution, person.token)
    expect(await trail(id)).toMatchObject([
      {
        action: 'run.resolve',
        actor_id: person.id,
        outcome: 'done',
        thing_name: 'tax A-1',
        before: { step: 1, run_state: 'unknown', step_state: 'unknown' },
        after: {
          step: 1,
          run_state: 'succeeded',
          verdict: 'received',
          reference: 'EIN-1',
          note: 'by phone',
        },
        can_restore: false,
      },
    ])
  })

  it('that it was not received, and that the same bytes were sent again', async () => {
    const id = await sent(cut, [carry(post, 'A-2')])
    await act(id, 'resolve', { step: 1, verdict: 'not_received' })
    await act(id, 'resume')
    expect(await trail(id)).toMatchObject([
      { action: 'run.resume', after: { step: 1, sends_again: true } },
      { action: 'run.resolve', after: { verdict: 'not_received', run_state: 'not_started' } },
    ])
  })

  it('that a run went on with a step of which nothing had been sent', async () => {
    const id = await sent(cut, [carry(post, 'A-3'), carry(safe, 'A-4')])
    await act(id, 'resolve', { step: 1, verdict: 'received' })
    await act(id, 'resume')
    expect((await trail(id))[0]).toMatchObject({
      action: 'run.resume',
      before: { run_state: 'stopped', step_state: 'waiting' },
      after: { step: 2, sends_again: false },
    })
  })

  it.each([
    [200, 'received'],
    [404, 'not_received'],
    [500, 'undecided'],
  ])('that the status query was asked, and that %i says %s', async (status, verdict) => {
    const id = await sent(cut, [carry(safe, `S-${status}`)])
    app.answer(json(status, {}))
    // After the quiet period, and twice: “not received” counts then.
    for (const seconds of [120, 30]) {
      app.server.time.now = new Date(app.server.time.now.getTime() + seconds * 1000)
      await app.post(`/api/runs/${id}/status-query`, { step: 1 })
    }
    expect((await trail(id)).slice(0, 1)).toMatchObject([
      { action: 'run.status_query', after: { verdict } },
    ])
  })

  it('that a run was corrected or sent again, and which run took its place', async () => {
    const id = await sent(
      (request, response, socket) =>
        json(request.url === '/safe' ? 200 : 422, {})(request, response, socket),
      [carry(safe, 'A-6'), carry(post, 'A-7')],
    )
    const corrected = runOf(await act(id, 'retry', { endpoint_2: carry(post, 'A-8') }))
    expect(await trail(id)).toMatchObject([
      {
        action: 'run.correct',
        before: { run_state: 'rejected' },
        after: { run: corrected.id, kept_steps: [1], changed_steps: [2] },
      },
    ])
    const failed = await sent(json(422, {}), [carry(post, 'A-9')])
    const again = runOf(await act(failed, 'retry', { from_start: true }))
    expect(await trail(failed)).toMatchObject([
      { action: 'run.again', after: { run: again.id, kept_steps: [], changed_steps: [] } },
    ])
  })
})

it('a refused decision is not recorded', async () => {
  const id = await sent(cut, [carry(safe, 'B-1')])
  const answers = await Promise.all([
    act(id, 'resolve', { step: 1, verdict: 'received' }),
    act(id, 'resolve', { step: 1, verdict: 'received' }),
    act(id, 'resume'),
  ])
  // The order is not fixed. An accepted resume may still end in 504: it was cut again.
  const accepted = answers.filter(({ status }) => status !== 409)
  expect(await trail(id)).toHaveLength(accepted.length)
  expect((await act(id, 'retry', {})).status).toBe(409)
  expect(await trail(id)).toHaveLength(accepted.length)
})

it('the secrets that were typed are no part of it', async () => {
  const id = await sent(json(401, {}), [carry(post, 'B-2')])
  const token = 'typed-credential'
  await act(id, 'resume', { endpoint_1: { token } })
  expect(JSON.stringify(await trail(id))).not.toContain(token)
})
