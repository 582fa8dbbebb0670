import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  json,
  runOf,
  startRunServer,
  type Answerer,
  type RunServer,
} from '../../../../test/servers/run-server.ts'

let app: RunServer
let invoices: number
let safe: number
let asked: number
beforeAll(async () => {
  app = await startRunServer()
  // Many at once on a busy machine: none of them is about time-outs.
  const apiId = await app.createApi({ name: 'Patient', answer_timeout_ms: 20_000 })
  const endpoint = (overrides: Record<string, unknown>) => app.endpoint(overrides, apiId)
  invoices = await endpoint({ path: '/invoices', run_settings: { reference_path: 'no' } })
  asked = await endpoint({ method_type: 'get', path: '/status' })
  safe = await endpoint({
    path: '/safe',
    run_settings: {
      reference_path: 'no',
      original_reference_path: 'of',
      is_duplicate_safe: true,
      status_query: {
        endpoint_id: asked,
        parameter: 'no',
        received: { statuses: '200' },
        not_received: { statuses: '404' },
        authority_reference_path: '',
      },
    },
  })
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(json(200, {}))
})

let content = 0
const carry = (end_point: number, no: string) => ({
  end_point,
  body: `{"no":"${no}","n":${++content}}`,
})
const cut: Answerer = (_request, _response, socket) => socket.destroy()
const resume = (id: number) => app.post(`/api/runs/${id}/resume`, {})

it('two bundles that name two documents in opposite order at once: one is sent, the other refused', async () => {
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => [
      app.tax([carry(invoices, `X-${n}`), carry(safe, `Y-${n}`)]),
      app.tax([carry(safe, `Y-${n}`), carry(invoices, `X-${n}`)]),
    ]).flat(),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual(
    Array.from({ length: 12 }, (_, index) => (index < 6 ? 200 : 409)),
  )
  const references = app.upstream.received.map(({ body }) => /"no":"(.*?)"/.exec(body)?.[1])
  expect(references.toSorted()).toEqual([...new Set(references)].toSorted())
  expect(references).toHaveLength(12)
})

it('a resend that is refused before it is sent leaves the step unknown', async () => {
  app.answer(cut)
  const credit = await app.credit([{ end_point: safe, body: '{"no":"N-1","of":"O-1"}' }])
  const { id } = runOf(credit)
  expect(credit.status).toBe(504)
  // Meanwhile it shows that what is credited was never accepted.
  app.answer(json(422, {}))
  await app.tax([carry(invoices, 'O-1')])
  app.upstream.received.length = 0
  const resumed = await resume(id)
  expect(resumed.status).toBe(504)
  expect(runOf(resumed)).toMatchObject({
    state: 'unknown',
    steps: [{ state: 'unknown', message: expect.stringContaining('O-1') }],
  })
  expect(app.upstream.received).toEqual([])
  expect(await app.show(id)).toMatchObject({ steps: [{ attempts: [{ outcome: 'cut' }] }] })
  const settled = await app.post(`/api/runs/${id}/resolve`, { step: 1, verdict: 'received' })
  expect(settled.status, settled.text).toBe(200)
})

it('a status query that decides nothing is kept, although the run went on meanwhile', async () => {
  app.answer(cut)
  const { id } = runOf(await app.tax([carry(safe, 'Q-1')]))
  let resumed: ReturnType<typeof resume> | undefined
  app.answer((request, response, socket) => {
    if (!request.url?.startsWith('/status')) return cut(request, response, socket)
    resumed = resume(id)
    void resumed.then(() => response.writeHead(500).end())
  })
  const query = await app.post(`/api/runs/${id}/status-query`, { step: 1 })
  expect(query.status, query.text).toBe(200)
  expect((await resumed)?.status).toBe(504)
  const [step] = (await app.show(id)).steps
  expect(step?.attempts.map(({ number, kind }) => [number, kind])).toEqual([
    [1, 'send'],
    [2, 'resend'],
    [3, 'status_query'],
  ])
})

it('a status query while the step is sent again takes no number away from it', async () => {
  app.answer(cut)
  const { id } = runOf(await app.tax([carry(safe, 'Q-2')]))
  app.answer((request, response, socket) =>
    (request.url?.startsWith('/status') ? json(500, {}) : json(200, {}))(request, response, socket),
  )
  const answers = await Promise.all([
    app.post(`/api/runs/${id}/status-query`, { step: 1 }),
    resume(id),
    app.post(`/api/runs/${id}/status-query`, { step: 1 }),
  ])
  expect(answers[1]?.status, answers[1]?.text).toBe(200)
  for (const { status } of answers) expect([200, 409]).toContain(status)
  expect(await app.show(id)).toMatchObject({ state: 'succeeded' })
})

it('a status query that decides does not count once the step was sent again', async () => {
  app.answer(cut)
  const { id } = runOf(await app.tax([carry(safe, 'Q-3')]))
  app.answer((request, response, socket) => {
    if (!request.url?.startsWith('/status')) return cut(request, response, socket)
    void resume(id).then(() => response.writeHead(404).end())
  })
  const query = await app.post(`/api/runs/${id}/status-query`, { step: 1 })
  expect(query.status).toBe(409)
  expect(await app.show(id)).toMatchObject({ state: 'unknown' })
})
