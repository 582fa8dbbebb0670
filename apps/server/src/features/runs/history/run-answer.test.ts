// Databases: SQLite.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { json, runOf, startRunServer, type RunServer } from '../../../../test/servers/run-server.ts'

let app: RunServer
let post: number
let read: number
beforeAll(async () => {
  app = await startRunServer()
  post = await app.endpoint()
  read = await app.endpoint({ method_type: 'get', path: '/read' })
})
afterAll(() => app.close())

const get = (path: string, token = app.token) => app.server.send('GET', path, { token })
const long = JSON.stringify({ text: 'é'.repeat(700_000), end: true })

it('an answer beyond what the page shows is fetched whole, of a bundle and of a build', async () => {
  app.answer(json(200, long))
  const { id } = runOf(await app.tax([{ end_point: post, body: '{"n":1}' }]))
  expect((await app.show(id)).steps[0]?.attempts[0]?.answer_body?.is_whole).toBe(false)
  const whole = await get(`/api/runs/${id}/steps/1/answer`)
  expect(whole.status).toBe(200)
  expect(whole.text).toBe(long)
  const fetched = runOf(await get(`/admin/get-data?end_point=${read}`))
  expect((await get(`/api/runs/${fetched.id}/steps/1/answer?attempt=1`)).text).toBe(long)
})

it('an answer is a download without the credential, and never a page', async () => {
  const type = { 'content-type': 'text/html' }
  app.answer((request, response) =>
    response.writeHead(200, type).end(`<script>${request.headers.authorization}</script>`),
  )
  const bundle = { endpoint_1: { end_point: post, body: '{"n":2}', token: 'secret-token' } }
  const { id } = runOf(await app.post('/api/tax', bundle))
  const answer = await get(`/api/runs/${id}/steps/1/answer`)
  expect(answer.text).toBe('<script>Bearer [credential]</script>')
  expect(answer.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'content-disposition': expect.stringMatching(
      /^attachment; filename="run-\d+-step-1-attempt-1.txt"/,
    ),
  })
})

it('404 for what is not there, 403 without run.view', async () => {
  app.answer((_request, _response, socket) => socket.destroy())
  const { id } = runOf(await app.tax([{ end_point: post, body: '{"n":3}' }]))
  expect((await get(`/api/runs/${id}/steps/1/answer`)).body).toMatchObject({
    code: 'run.no_answer',
  })
  expect((await get(`/api/runs/${id}/steps/2/answer`)).status).toBe(404)
  expect((await get('/api/runs/999999/steps/1/answer')).status).toBe(404)
  const sender = await app.person(['tax.send'], [post])
  expect((await get(`/api/runs/${id}/steps/1/answer`, sender.token)).status).toBe(403)
})
