import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startUpstream } from '../../../../test/servers/hostile-upstream.ts'
import { json, runOf, startRunServer, type RunServer } from '../../../../test/servers/run-server.ts'

let app: RunServer
let sandbox: Awaited<ReturnType<typeof startUpstream>>
let read: number
let post: number
let put: number
let searching: number
let sandboxed: number
beforeAll(async () => {
  app = await startRunServer()
  sandbox = await startUpstream((_, response) => void response.end('{"id":"sandbox"}'))
  read = await app.endpoint({ method_type: 'get', path: '/read' })
  post = await app.endpoint()
  put = await app.endpoint({ method_type: 'put', path: '/put/{id}' })
  searching = await app.endpoint({ path: '/search', run_settings: { effect: 'read' } })
  const api = await app.createApi({ name: 'With sandbox', test_api_url: sandbox.url })
  sandboxed = await app.endpoint({ path: '/invoices' }, api)
})
afterAll(async () => {
  await app.close()
  await sandbox.close()
})
beforeEach(() => {
  app.upstream.received.length = 0
  sandbox.received.length = 0
  app.answer(json(200, { id: 7 }))
})

const test = { test_invoice: true }
let content = 0
const fresh = () => `{"n":${++content}}`

describe('without a test address', () => {
  it('what would have to be sent without its document reference is blocked, as it would be', async () => {
    const invoices = await app.endpoint({ run_settings: { reference_path: 'no' } })
    const sent = await app.tax([
      { end_point: read, ...test },
      { end_point: invoices, body: '{"no":"{{steps.1.body.list}}"}', ...test },
    ])
    expect(runOf(sent)).toMatchObject({ state: 'blocked' })
    app.answer(json(200, { list: ['A', 'B'] }))
    const again = await app.tax([
      { end_point: read, ...test },
      { end_point: invoices, body: '{"no":"{{steps.1.body.list}}","n":1}', ...test },
    ])
    expect(runOf(again).steps[1]).toMatchObject({
      state: 'blocked',
      message: 'The body has no document reference at no.',
    })
  })

  it('reads go out, and what changes something is resolved and kept as it would be sent', async () => {
    const sent = await app.tax([
      { end_point: read, ...test },
      { end_point: post, body: '{"id":"{{steps.1.body.id}}"}', ...test },
      { end_point: put, body: '{"id":"{{steps.1.body.id}}","a":0.10}', ...test },
    ])
    expect(sent.status, sent.text).toBe(200)
    expect(sent.body).toMatchObject({
      message:
        'Nothing was sent: this was a dry run, and step 2, step 3 were checked and would be sent. Data was read by step 1.',
    })
    expect(app.upstream.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /read',
    ])
    expect(runOf(sent)).toMatchObject({ state: 'succeeded', is_test: true, is_dry_run: true })
    const { steps } = await app.show(runOf(sent).id)
    expect(steps.map(({ state }) => state)).toEqual(['succeeded', 'would_send', 'would_send'])
    expect(steps[1]).toMatchObject({
      url: `${app.upstream.url}/step-2`,
      body: { text: '{"id":7}' },
      attempts: [],
    })
    expect(steps[2]).toMatchObject({
      url: `${app.upstream.url}/put/7`,
      body: { text: '{"a":0.10}' },
    })
  })

  it('a POST that only reads is not sent either', async () => {
    const { body } = await app.tax([{ end_point: searching, body: fresh(), ...test }])
    expect(body).toMatchObject({
      message: 'Nothing was sent: this was a dry run, and step 1 was checked and would be sent.',
    })
    expect(app.upstream.received).toEqual([])
  })

  it('what takes values from an answer that never came says so', async () => {
    const sent = await app.tax([
      { end_point: post, body: fresh(), ...test },
      { end_point: post, body: '{"id":"{{steps.1.body.id}}"}', ...test },
    ])
    expect(sent.status, sent.text).toBe(200)
    expect(runOf(sent).steps[1]).toMatchObject({
      state: 'would_send',
      message: expect.stringContaining('{{steps.1.body.id}}'),
    })
    expect(app.upstream.received).toEqual([])
  })

  it('what can’t be resolved blocks', async () => {
    const sent = await app.tax([
      { end_point: read, ...test },
      { end_point: post, body: '{"id":"{{steps.1.body.gone}}"}', ...test },
    ])
    expect(sent.status).toBe(502)
    expect(runOf(sent)).toMatchObject({ state: 'blocked' })
  })
})

it('with a test address everything goes there, and nothing to production', async () => {
  const sent = await app.tax([
    { end_point: sandboxed, body: '{"no":1}', ...test },
    { end_point: sandboxed, body: '{"id":"{{steps.1.body.id}}"}', ...test },
  ])
  expect(runOf(sent)).toMatchObject({ state: 'succeeded', is_test: true, is_dry_run: false })
  expect(sandbox.received.map(({ body }) => body)).toEqual(['{"no":1}', '{"id":"sandbox"}'])
  expect(app.upstream.received).toEqual([])
})

it('needs tax.test', async () => {
  const sender = await app.server.buildUser({ permissions: ['tax.send'] })
  const refused = await app.tax([{ end_point: post, body: fresh(), ...test }], { as: sender.token })
  expect(refused.status).toBe(403)
  expect(refused.body).toMatchObject({ message: expect.stringContaining('tax.test') })
})

describe('the preview', () => {
  const preview = (steps: object[]) =>
    app.post(
      '/api/tax/preview',
      Object.fromEntries(steps.map((step, index) => [`endpoint_${index + 1}`, step])),
    )

  it('shows what would be sent, sends nothing and keeps nothing', async () => {
    const before = await app.server.db.selectFrom('run').select('id').execute()
    const shown = await preview([
      { end_point: put, body: '{"id":3,"a":1.0}' },
      { end_point: post, body: '{"x":"{{steps.1.body.id}}"}', dependency_field: 'name' },
      { end_point: put, body: '{"id":"{{steps.1.body.id}}"}' },
    ])
    expect(shown.status, shown.text).toBe(200)
    expect(shown.body).toMatchObject({
      is_test: false,
      is_dry_run: false,
      steps: [
        {
          method: 'PUT',
          url: `${app.upstream.url}/put/3`,
          body: '{"a":1.0}',
          takes: [],
          is_sent: true,
        },
        // Its path has no parameter: where it goes is known.
        {
          url: expect.stringContaining(`${app.upstream.url}/`) as string,
          body: '{"x":"{{steps.1.body.id}}"}',
          takes: ['{{steps.1.body.id}}', 'name'],
        },
        { url: null, takes: ['{{steps.1.body.id}}'] },
      ],
    })
    expect(app.upstream.received).toEqual([])
    expect(await app.server.db.selectFrom('run').select('id').execute()).toEqual(before)
  })

  it('marks what is empty, and what differs from the request that was accepted last', async () => {
    const endpoint = await app.endpoint()
    const marks = async (body: unknown) => {
      const shown = await preview([{ end_point: endpoint, body: JSON.stringify(body) }])
      return (
        shown.body as { steps: { marks: { path: string; kind: string }[] }[] }
      ).steps[0]?.marks.map(({ path, kind }) => `${path} ${kind}`)
    }
    expect(await marks({ a: 1, b: '', c: { d: null }, e: [] })).toEqual([
      'b empty',
      'c.d empty',
      'e empty',
    ])
    const sent = await app.tax([
      { end_point: endpoint, body: '{"a":1.0,"b":"","c":{"d":4},"old":[1]}' },
    ])
    expect(await marks({ a: 1, b: '', c: { d: null }, e: 5 })).toEqual([
      'a changed',
      'c.d empty',
      'e added',
      'old[0] removed',
    ])
    const shown = await preview([{ end_point: endpoint, body: '{}' }])
    expect(shown.body).toMatchObject({ steps: [{ last_accepted: { run_id: runOf(sent).id } }] })
  })

  it('refuses what sending refuses, under the same fields', async () => {
    const refused = await preview([{ end_point: post, body: '{' }])
    expect(refused.status).toBe(422)
    expect(Object.keys((refused.body as { errors: object }).errors)).toEqual(['endpoint_1.body'])
  })
})
