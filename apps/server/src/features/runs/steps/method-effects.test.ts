import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { json, runOf, startRunServer, type RunServer } from '../../../../test/run-server.ts'

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
