import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { json, runOf, startRunServer, type RunServer } from '../../../test/servers/run-server.ts'

let app: RunServer
let posts: number[]
let read: number
beforeAll(async () => {
  app = await startRunServer()
  posts = []
  for (let each = 0; each < 4; each++) posts.push(await app.endpoint())
  read = await app.endpoint({ method_type: 'get', path: '/read/{id}' })
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer((request, response) =>
    response.end(
      JSON.stringify({ id: 7, at: request.url, big: 1 }).replace(':1}', ':12345678901234567890}'),
    ),
  )
})

let content = 0
/** A body that no other test sends: what is the same is the same run. */
const fresh = () => `{"n":${++content}}`
const step = (index: number, body = fresh()) => ({ end_point: posts[index] ?? 0, body })

describe('200', () => {
  it('sends four steps in order and answers with the run', async () => {
    const bodies = [fresh(), fresh(), fresh(), fresh()]
    const sent = await app.tax(bodies.map((body, index) => step(index, body)))
    expect(sent.status, sent.text).toBe(200)
    expect(sent.body).toMatchObject({ message: 'Request sent successfully!' })
    expect(runOf(sent)).toMatchObject({ kind: 'tax', state: 'succeeded', is_test: false })
    expect(runOf(sent).steps.map(({ state, status }) => [state, status])).toEqual(
      Array.from({ length: 4 }, () => ['succeeded', 200]),
    )
    expect(app.upstream.received.map(({ body }) => body)).toEqual(bodies)
    expect(app.upstream.received.map(({ url }) => url)).toEqual([
      '/step-1',
      '/step-2',
      '/step-3',
      '/step-4',
    ])
  })

  it('sends a credit of three', async () => {
    const sent = await app.credit([step(0), step(1), step(2)])
    expect(sent.status, sent.text).toBe(200)
    expect(runOf(sent)).toMatchObject({ kind: 'credit', state: 'succeeded' })
  })

  it('takes values of earlier answers, exact and with their type', async () => {
    const body =
      '{"big":"{{steps.1.body.big}}","text":"{{steps.1.body.at}}/{{steps.2.body.id}}", "keep": 1.0}'
    const sent = await app.tax([step(0), step(1), step(2, body)])
    expect(sent.status, sent.text).toBe(200)
    expect(app.upstream.received[2]?.body).toBe(
      '{"big":12345678901234567890,"text":"/step-1/7","keep":1.0}',
    )
  })

  it('fills a path from an earlier answer', async () => {
    const sent = await app.tax([step(0), { end_point: read, body: '{"id":"{{steps.1.body.id}}"}' }])
    expect(sent.status, sent.text).toBe(200)
    expect(app.upstream.received[1]).toMatchObject({ method: 'GET', url: '/read/7' })
  })

  it('lays the dependency field over step 2, also where its body is blank', async () => {
    const dependent = { dependency_field: 'id,at:from', is_dependent: true }
    await app.tax([step(0), { ...step(1, '{"id":1,"own":true}'), ...dependent }])
    expect(app.upstream.received[1]?.body).toBe('{"id":7,"own":true,"from":"/step-1"}')
    await app.tax([step(0), { ...step(1, ''), ...dependent }])
    expect(app.upstream.received[3]?.body).toBe('{"id":7,"from":"/step-1"}')
  })

  it('sends each step its own token, and keeps none', async () => {
    await app.tax([
      { ...step(0), token: 'get-secret' },
      { ...step(1), token: 'post-secret' },
    ])
    expect(app.upstream.received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer get-secret',
      'Bearer post-secret',
    ])
    const tables = ['run', 'run_step', 'run_attempt'] as const
    const rows = await Promise.all(
      tables.map((table) => app.server.db.selectFrom(table).selectAll().execute()),
    )
    expect(JSON.stringify(rows)).not.toMatch(/-secret/)
    expect(app.server.logLines.join('')).not.toMatch(/-secret/)
  })
})

describe('a step that does not succeed ends the run', () => {
  it('502 for a rejection; what came after is not sent', async () => {
    app.answer((request, response, socket) =>
      json(request.url === '/step-2' ? 422 : 200, { id: 1 })(request, response, socket),
    )
    const failed = await app.tax([step(0), step(1), step(2)])
    expect(failed.status).toBe(502)
    expect(failed.body).toMatchObject({
      code: 'run.failed',
      message: 'Failed to send request.',
      detail: expect.stringContaining('Step 2'),
    })
    expect(runOf(failed).steps.map(({ state }) => state)).toEqual([
      'succeeded',
      'rejected',
      'waiting',
    ])
    expect(app.upstream.received).toHaveLength(2)
  })

  it('504 where the outcome is unknown', async () => {
    app.answer((_request, _response, socket) => socket.destroy())
    const failed = await app.tax([step(0), step(1)])
    expect(failed.status).toBe(504)
    expect(failed.body).toMatchObject({ code: 'run.unknown', run: { state: 'unknown' } })
    expect(app.upstream.received).toHaveLength(1)
  })

  it('a value that is not there blocks the step and is named', async () => {
    const failed = await app.tax([step(0), step(1, '{"x":"{{steps.1.body.gone}}"}')])
    expect(failed.status).toBe(502)
    expect(runOf(failed)).toMatchObject({ state: 'blocked' })
    expect(runOf(failed).steps[1]).toMatchObject({
      state: 'blocked',
      outcome: null,
      message: expect.stringContaining('{{steps.1.body.gone}}'),
    })
    expect(app.upstream.received).toHaveLength(1)
  })

  it('a dependency field that is not there blocks step 2', async () => {
    const failed = await app.tax([step(0), { ...step(1), dependency_field: 'id,missing' }])
    expect(runOf(failed).steps[1]).toMatchObject({
      state: 'blocked',
      message: expect.stringContaining('missing'),
    })
    expect(app.upstream.received).toHaveLength(1)
  })
})

describe('422 before anything is sent', () => {
  const first = () => step(0)
  it.each<[string, () => Record<string, unknown>]>([
    ['endpoint_1.end_point', () => ({})],
    ['endpoint_1.end_point', () => ({ endpoint_1: { end_point: '' }, endpoint_2: step(1) })],
    [
      'endpoint_3.end_point',
      () => ({ endpoint_1: first(), endpoint_2: step(1), endpoint_4: step(2) }),
    ],
    ['endpoint_2.end_point', () => ({ endpoint_1: first(), endpoint_2: { end_point: 999_999 } })],
    ['endpoint_2.end_point', () => ({ endpoint_1: first(), endpoint_2: { end_point: 'x' } })],
    [
      'endpoint_2.end_point',
      () => ({ endpoint_1: first(), endpoint_2: { end_point: null, body: '{}' } }),
    ],
    ['endpoint_2.body', () => ({ endpoint_1: first(), endpoint_2: step(1, '{not json') })],
    ['endpoint_2.body', () => ({ endpoint_1: first(), endpoint_2: { end_point: read } })],
    ['endpoint_1.body', () => ({ endpoint_1: step(0, '{"x":"{{steps.1.body.id}}"}') })],
    [
      'endpoint_2.body',
      () => ({ endpoint_1: first(), endpoint_2: step(1, '{"x":"{{steps.2.body.id}}"}') }),
    ],
    ['endpoint_1.body', () => ({ endpoint_1: step(0, JSON.stringify('x'.repeat(1024 * 1024))) })],
    ['endpoint_1.token', () => ({ endpoint_1: { ...first(), token: 'two words' } })],
    [
      'endpoint_2.dependency_field',
      () => ({ endpoint_1: first(), endpoint_2: { ...step(1), dependency_field: 'a b' } }),
    ],
    [
      'endpoint_2.dependency_field',
      () => ({ endpoint_1: first(), endpoint_2: { ...step(1), is_dependent: true } }),
    ],
    [
      'endpoint_2.test_invoice',
      () => ({ endpoint_1: { ...first(), test_invoice: true }, endpoint_2: step(1) }),
    ],
  ])('on %s (%#)', async (field, bundle) => {
    const refused = await app.post('/api/tax', bundle())
    expect(refused.status, refused.text).toBe(422)
    expect(Object.keys((refused.body as { errors: object }).errors)).toEqual([field])
    expect(app.upstream.received).toEqual([])
  })

  it('names all problems at once', async () => {
    const refused = await app.tax([step(0, '{'), { ...step(1, '['), dependency_field: ',' }])
    expect(Object.keys((refused.body as { errors: object }).errors)).toEqual([
      'endpoint_1.body',
      'endpoint_2.body',
    ])
  })

  it('an endpoint that is disabled, or that none of the caller’s roles reaches', async () => {
    const disabled = await app.endpoint({ status: 'disabled' })
    expect((await app.tax([{ end_point: disabled }])).status).toBe(422)
    const other = await app.server.buildUser({ permissions: ['tax.send'] })
    const refused = await app.tax([step(0)], { as: other.token })
    expect(refused.body).toMatchObject({
      errors: { 'endpoint_1.end_point': ['None of your roles has access to this endpoint.'] },
    })
  })
})

it('401 signed out, 403 without the permission of the kind', async () => {
  const taxOnly = await app.server.buildUser({ permissions: ['tax.send'] })
  expect((await app.tax([step(0)], { as: 'nobody' })).status).toBe(401)
  expect((await app.credit([step(0)], { as: taxOnly.token })).status).toBe(403)
})
