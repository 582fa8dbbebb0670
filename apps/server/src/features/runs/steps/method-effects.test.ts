// Databases: SQLite.

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  json,
  runOf,
  startRunServer,
  type Answerer,
  type RunServer,
} from '../../../../test/servers/run-server.ts'

let app: RunServer
beforeAll(async () => {
  app = await startRunServer()
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
})

async function send(method_type: string, run_settings?: { effect: string }) {
  app.answer(json(200, method_type === 'head' ? '' : { ok: true }))
  const end_point = await app.endpoint({
    method_type,
    path: `/${method_type}/${run_settings?.effect ?? 'usual'}/{id}`,
    ...(run_settings ? { run_settings } : {}),
  })
  const sent = await app.tax([{ end_point, body: '{"id": 5, "total": 0.10}' }])
  expect(sent.status, sent.text).toBe(200)
  const { state, steps } = await app.show(runOf(sent).id)
  expect(state).toBe('succeeded')
  const [received] = app.upstream.received
  return {
    effect: steps[0]?.effect,
    method: received?.method,
    url: received?.url,
    body: received?.body,
  }
}

it('a PATCH is a submit, and its body is sent without what fills the path', async () => {
  expect(await send('patch')).toEqual({
    effect: 'submit',
    method: 'PATCH',
    url: '/patch/usual/5',
    body: '{"total":0.10}',
  })
})

it('a PATCH that is declared to be idempotent is that', async () => {
  expect(await send('patch', { effect: 'idempotent' })).toMatchObject({ effect: 'idempotent' })
})

it('a DELETE is idempotent, and its body becomes the query string', async () => {
  expect(await send('delete')).toEqual({
    effect: 'idempotent',
    method: 'DELETE',
    url: '/delete/usual/5?total=0.10',
    body: '',
  })
})

it('a HEAD is a read, and its body becomes the query string', async () => {
  expect(await send('head')).toEqual({
    effect: 'read',
    method: 'HEAD',
    url: '/head/usual/5?total=0.10',
    body: '',
  })
})

const cut: Answerer = (_request, _response, socket) => socket.destroy()
const silence: Answerer = () => {}
type Method = 'patch' | 'delete' | 'head'

/** What follows when the answer is lost or says that the server failed. */
const failures: [string, Answerer, Record<Method, string>][] = [
  ['500', json(500, ''), { patch: 'unknown', delete: 'waiting', head: 'waiting' }],
  ['a reset', cut, { patch: 'unknown', delete: 'waiting', head: 'waiting' }],
  ['silence', silence, { patch: 'unknown', delete: 'waiting', head: 'waiting' }],
  ['429', json(429, ''), { patch: 'waiting', delete: 'waiting', head: 'waiting' }],
  ['422', json(422, ''), { patch: 'rejected', delete: 'rejected', head: 'rejected' }],
  ['401', json(401, ''), { patch: 'blocked', delete: 'blocked', head: 'blocked' }],
]

let count = 0

async function failWith(method: Method, answer: Answerer) {
  app.answer(answer)
  const path = `/${method}/failing-${++count}/{id}`
  const end_point = await app.endpoint({ method_type: method, path })
  const body = `{"id": ${count}, "total": 0.10}`
  const { id } = runOf(await app.tax([{ end_point, body }]))
  app.answer(json(200, method === 'head' ? '' : {}))
  return id
}

it.each(
  failures.flatMap(([name, answer, states]) =>
    (['patch', 'delete', 'head'] as const).map(
      (method) => [name, method, states[method], answer] as const,
    ),
  ),
)('%s to a %s: %s, and it is sent once', async (_, method, state, answer) => {
  const { steps } = await app.show(await failWith(method, answer))
  expect(steps[0]).toMatchObject({ state })
  expect(app.upstream.received).toHaveLength(1)
})

it.each(['delete', 'head'] as const)(
  'Resume sends a %s whose answer was lost again, as it was',
  async (method) => {
    const id = await failWith(method, cut)
    const resumed = await app.post(`/api/runs/${id}/resume`, {})
    expect(resumed.status, resumed.text).toBe(200)
    const [first, second] = app.upstream.received
    expect(second).toMatchObject({ method: method.toUpperCase(), url: first?.url, body: '' })
    expect(app.upstream.received).toHaveLength(2)
  },
)

it('Resume does not send a PATCH again whose answer was lost, until somebody says what became of it', async () => {
  const id = await failWith('patch', cut)
  const early = await app.post(`/api/runs/${id}/resume`, {})
  expect([early.status, (early.body as { code: string }).code]).toEqual([409, 'run.not_resumable'])
  expect(app.upstream.received).toHaveLength(1)
  const said = await app.post(`/api/runs/${id}/resolve`, { step: 1, verdict: 'not_received' })
  expect(said.status, said.text).toBe(200)
  const resumed = await app.post(`/api/runs/${id}/resume`, {})
  expect(resumed.status, resumed.text).toBe(200)
  const [first, second] = app.upstream.received
  expect(second).toMatchObject({ method: 'PATCH', url: first?.url, body: first?.body })
  expect(await app.show(id)).toMatchObject({ state: 'succeeded' })
})
