import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startUpstream } from '../../../test/servers/hostile-upstream.ts'
import { json, runOf, startRunServer, type RunServer } from '../../../test/servers/run-server.ts'

let app: RunServer
let sandbox: Awaited<ReturnType<typeof startUpstream>>
let post: number
let read: number
let sandboxed: number
beforeAll(async () => {
  app = await startRunServer()
  sandbox = await startUpstream((_, response) => void response.end('{"id":"sandbox"}'))
  post = await app.endpoint()
  read = await app.endpoint({ method_type: 'get', path: '/read' })
  const api = await app.createApi({ name: 'With sandbox', test_api_url: sandbox.url })
  sandboxed = await app.endpoint({ path: '/credits' }, api)
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

let content = 0
const fresh = () => `{"n":${++content}}`
const test = { test_invoice: true }

describe('a credit has its test flag as a tax bundle has it', () => {
  it('goes to the test address and nowhere else', async () => {
    const sent = await app.credit([{ end_point: sandboxed, body: fresh(), ...test }])
    expect(sent.status, sent.text).toBe(200)
    expect(runOf(sent)).toMatchObject({ kind: 'credit', is_test: true, is_dry_run: false })
    expect(sandbox.received.map(({ url }) => url)).toEqual(['/credits'])
    expect(app.upstream.received).toEqual([])
  })

  it('without a test address, sends reads and nothing else', async () => {
    const sent = await app.credit([
      { end_point: read, ...test },
      { end_point: post, body: fresh(), ...test },
    ])
    expect(sent.status, sent.text).toBe(200)
    expect(runOf(sent)).toMatchObject({ is_test: true, is_dry_run: true })
    expect(app.upstream.received.map(({ method }) => method)).toEqual(['GET'])
  })

  it.each([true, 1, '1', 'true'])('takes %j for a test', async (test_invoice) => {
    const bundle = { endpoint_1: { end_point: post, body: fresh(), test_invoice } }
    const sent = await app.post('/api/credit/tax', bundle)
    expect(sent.status, sent.text).toBe(200)
    expect(runOf(sent)).toMatchObject({ is_test: true })
    expect(app.upstream.received).toEqual([])
  })

  it.each([false, 0, '0', 'false', '', null])('takes %j for none', async (test_invoice) => {
    const bundle = { endpoint_1: { end_point: post, body: fresh(), test_invoice } }
    const sent = await app.post('/api/credit/tax', bundle)
    expect(sent.status, sent.text).toBe(200)
    expect(runOf(sent)).toMatchObject({ is_test: false })
    expect(app.upstream.received).toHaveLength(1)
  })

  it('refuses unequal flags before anything is sent', async () => {
    const steps = [
      { end_point: post, body: fresh(), ...test },
      { end_point: post, body: fresh() },
    ]
    const refused = await app.credit(steps)
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({
      errors: { 'endpoint_2.test_invoice': [expect.stringContaining('as a whole')] },
    })
    expect(app.upstream.received).toEqual([])
  })

  it('needs tax.test', async () => {
    const sender = await app.person(['credit.send'], [sandboxed])
    const steps = [{ end_point: sandboxed, body: fresh(), ...test }]
    const refused = await app.credit(steps, { as: sender.token })
    expect(refused.status).toBe(403)
    expect(sandbox.received).toEqual([])
    const tester = await app.person(['credit.send', 'tax.test'], [sandboxed])
    expect((await app.credit(steps, { as: tester.token })).status).toBe(200)
  })

  it('shows in its preview', async () => {
    const bundle = { endpoint_1: { end_point: sandboxed, body: '{}', ...test } }
    const preview = await app.post('/api/credit/tax/preview', bundle)
    expect(preview.body).toMatchObject({
      is_test: true,
      steps: [{ url: `${sandbox.url}/credits` }],
    })
  })

  it('stays a test when it is sent again', async () => {
    app.answer(json(422, {}))
    const failed = await app.credit([
      { end_point: read, ...test },
      { end_point: sandboxed, body: fresh(), ...test },
    ])
    expect(runOf(failed)).toMatchObject({ state: 'rejected', is_test: true })
    app.answer(json(200, {}))
    const again = await app.post(`/api/runs/${runOf(failed).id}/retry`, { from_start: true })
    expect(again.status, again.text).toBe(200)
    expect(runOf(again)).toMatchObject({ kind: 'credit', is_test: true })
  })
})

describe('a field that is not known is a 422 that names it', () => {
  const one = () => ({ end_point: post, body: fresh() })

  it.each<[string, () => object, string[]]>([
    ['/api/tax', () => ({ endpoint_1: one(), endpoint_5: one() }), ['endpoint_5']],
    ['/api/tax', () => ({ endpoint_1: one(), test_invoice: true }), ['test_invoice']],
    [
      '/api/tax',
      () => ({ endpoint_1: { ...one(), test_invioce: 1 } }),
      ['endpoint_1.test_invioce'],
    ],
    [
      '/api/tax',
      () => ({ endpoint_1: one(), endpoint_3: { ...one(), dependency_field: 'id' } }),
      ['endpoint_3.dependency_field'],
    ],
    [
      '/api/tax',
      () => ({ endpoint_1: { ...one(), Token: 'x', bodi: '' }, Endpoint_2: one() }),
      ['Endpoint_2', 'endpoint_1.Token', 'endpoint_1.bodi'],
    ],
    ['/api/credit/tax', () => ({ endpoint_1: one(), endpoint_4: one() }), ['endpoint_4']],
    [
      '/api/credit/tax',
      () => ({ endpoint_1: one(), endpoint_2: { ...one(), dependency_field: 'id' } }),
      ['endpoint_2.dependency_field'],
    ],
    ['/api/tax/preview', () => ({ endpoint_1: { ...one(), text: 1 } }), ['endpoint_1.text']],
    ['/api/credit/tax/preview', () => ({ endpoint_1: one(), is_test: true }), ['is_test']],
    [
      '/api/prepare-data',
      () => ({ end_point: post, second_endpoint: '{}', test_invoice: true }),
      ['test_invoice'],
    ],
    [
      '/api/tax',
      () => ({ endpoint_1: one(), constructor: 1, toString: 2 }),
      ['constructor', 'toString'],
    ],
    ['/api/runs/1/resume', () => ({ endpoint_1: { token: 'x', body: '{}' } }), ['endpoint_1.body']],
    ['/api/runs/1/resume', () => ({ endpoint_11: { token: 'x' } }), ['endpoint_11']],
    ['/api/runs/1/retry', () => ({ endpoint_1: { bodi: '{}' } }), ['endpoint_1.bodi']],
    ['/api/runs/1/retry', () => ({ from_start: true, test_invoice: true }), ['test_invoice']],
    [
      '/api/runs/1/retry',
      () => ({ endpoint_3: { dependency_field: 'id' } }),
      ['endpoint_3.dependency_field'],
    ],
    [
      '/api/runs/1/resolve',
      () => ({ step: 1, verdict: 'received', referense: 'INV-1' }),
      ['referense'],
    ],
    ['/api/runs/1/status-query', () => ({ step: 1, tokn: 'x' }), ['tokn']],
  ])('%s (%#)', async (path, body, fields) => {
    const refused = await app.post(path, body())
    expect(refused.status, refused.text).toBe(422)
    const { errors } = refused.body as { errors: Record<string, string[]> }
    expect(Object.keys(errors).toSorted()).toEqual(fields)
    for (const messages of Object.values(errors))
      expect(messages[0]).toMatch(/^There is no such field here\. /)
    expect(app.upstream.received).toEqual([])
  })

  it.each([
    ['retry', { endpoint_3: { body: '{}' } }],
    ['retry', { endpoint_3: { token: 'x' } }],
    ['resume', { endpoint_3: { token: 'x' } }],
  ])('%s of a step that the run does not have', async (action, body) => {
    app.answer(json(429, {}))
    const failed = await app.tax([one(), one()])
    app.upstream.received.length = 0
    const refused = await app.post(`/api/runs/${runOf(failed).id}/${action}`, body)
    expect(refused.status, refused.text).toBe(422)
    expect(refused.body).toMatchObject({ errors: { endpoint_3: ['This run has no step 3.'] } })
    expect(app.upstream.received).toEqual([])
  })

  it('retry takes the endpoint and the test flag as they were, and no others', async () => {
    app.answer(json(422, {}))
    const first = one()
    const failed = runOf(await app.tax([first]))
    for (const [field, value] of Object.entries({ end_point: read, test_invoice: true })) {
      const body = { endpoint_1: { body: fresh(), [field]: value } }
      const refused = await app.post(`/api/runs/${failed.id}/retry`, body)
      expect(refused.status, refused.text).toBe(422)
      expect(refused.body).toMatchObject({
        errors: { [`endpoint_1.${field}`]: [expect.stringMatching(/keeps|stays/)] },
      })
    }
    app.answer(json(200, {}))
    const body = { endpoint_1: { ...one(), test_invoice: false } }
    expect((await app.post(`/api/runs/${failed.id}/retry`, body)).status).toBe(200)
  })

  it('says which fields there are', async () => {
    const refused = await app.post('/api/credit/tax', { endpoint_1: { ...one(), boddy: '' } })
    expect(refused.body).toMatchObject({
      errors: {
        'endpoint_1.boddy': [
          'There is no such field here. Known are end_point, body, token, test_invoice.',
        ],
      },
    })
  })

  it('beside what else is wrong, all at once', async () => {
    const refused = await app.post('/api/tax', { endpoint_1: { end_point: 'x', nme: 1 }, extra: 1 })
    expect(Object.keys((refused.body as { errors: object }).errors).toSorted()).toEqual([
      'endpoint_1.end_point',
      'endpoint_1.nme',
      'extra',
    ])
  })

  it('names at most a hundred of them, each shortened, and counts the others', async () => {
    const extra = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`f${at}${'x'.repeat(500)}`, 1]),
    )
    const refused = await app.post('/api/tax', { endpoint_1: one(), ...extra })
    expect(refused.status).toBe(422)
    const { errors } = refused.body as { errors: Record<string, string[]> }
    expect(Object.keys(errors)).toHaveLength(101)
    expect(errors['body']).toEqual(['There are 200 more fields that are not known.'])
    expect(refused.text.length).toBeLessThan(40_000)
  })
})
