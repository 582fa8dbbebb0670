// Databases: SQLite.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { endpointOf, httpApi, workflowOf } from '../../../../test/servers/build-server.ts'
import {
  jsonText,
  startBuildRequestServer,
  type BuildRequestServer,
} from '../../../../test/servers/build-request-server.ts'

let app: BuildRequestServer
/** Of an API with a test address: one that submits, and one that reads. */
let tested: { submit: number; read: number }
beforeAll(async () => {
  app = await startBuildRequestServer()
  const api = await made(
    '/api/apis',
    httpApi({
      name: 'Tested',
      api_url: 'http://127.0.0.1:9',
      test_api_url: `${app.upstream.url}/test`,
    }),
  )
  tested = {
    submit: await made(
      '/api/endpoint',
      endpointOf(api, { method_type: 'post', path: '/invoices' }),
    ),
    read: await made('/api/endpoint', endpointOf(api, { method_type: 'get', path: '/invoices' })),
  }
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(jsonText(200, '{"id":12345678901234567890,"title":"a {{b}}"}'))
})

async function made(url: string, body: unknown) {
  const answer = await app.server.send('POST', url, { token: app.token, body })
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { id: number }).id
}

const template = (text: string) => ({ kind: 'template', text })
const step = (endpoint_id: number | undefined, body: object, condition: object | null = null) => ({
  endpoint_id,
  body,
  condition,
})
const reading = () => step(app.endpoints.get, template('{"id":"{{input.id}}"}'))
const sending = (endpoint = tested.submit) =>
  step(endpoint, template('{"n":"{{steps.1.body.id}}","t":"{{steps.1.body.title}}"}'))
const sendingInput = () => step(tested.submit, template('{"n":"{{input.id}}","id":7}'))
const definition = (...steps: object[]) => ({
  ...workflowOf(0, { kind: 'general', reference_path: '' }),
  steps,
})
const input = '{"id":"A/1"}'
const answer = { position: 1, status: 200, body: '{"id":12345678901234567890,"title":"a {{b}}"}' }
const ask = (path: string, body: object, token = app.token) =>
  app.server.send('POST', `/api/workflows/${path}`, { token, body: { input, ...body } })

describe('one step is run on the sample', () => {
  it('as a run that the history shows, and its answer comes back as it was', async () => {
    const steps = definition(reading(), sending())
    const ran = await ask('run-step', { definition: steps, position: 1 })
    expect(ran.status, ran.text).toBe(200)
    expect(ran.body).toMatchObject({
      at: 'address',
      status: 200,
      body: answer.body,
      is_whole: true,
      run: { state: 'succeeded', is_test: false, kind: 'build' },
    })
    expect(app.upstream.received.map(({ url }) => url)).toEqual(['/v1/posts/A%2F1'])
    expect((await app.ledger()).run).toMatchObject({ state: 'succeeded' })
  })

  it('with the answers that earlier ones gave, at the test address and nowhere else', async () => {
    const asked = { definition: definition(reading(), sending()), answers: [answer] }
    const preview = await ask('preview', asked)
    expect(preview.body).toMatchObject({
      steps: [
        { what: 'send', runs_at: 'address' },
        { what: 'send', runs_at: 'test', body: '{"n":12345678901234567890,"t":"a {{b}}"}' },
      ],
    })
    expect(app.upstream.received).toEqual([])
    const ran = await ask('run-step', { ...asked, position: 2 })
    expect(ran.status, ran.text).toBe(200)
    expect(ran.body).toMatchObject({ at: 'test', run: { is_test: true, state: 'succeeded' } })
    expect(app.upstream.received).toMatchObject([
      { method: 'POST', url: '/test/invoices', body: '{"n":12345678901234567890,"t":"a {{b}}"}' },
    ])
  })

  it('also where the upstream refuses it: the answer says so', async () => {
    app.answer(jsonText(404, '{"error":"no such post"}'))
    const ran = await ask('run-step', { definition: definition(reading()), position: 1 })
    expect(ran.body).toMatchObject({ status: 404, body: '{"error":"no such post"}' })
    expect((ran.body as { run: { state: string } }).run.state).not.toBe('succeeded')
  })
})

describe('its run', () => {
  const rows = [{ source: 'input', from: 'id', to: 'n', type: 'auto', custom_input: '' }]
  const mapped = () => ({
    definition: definition(step(tested.submit, { kind: 'mapping', rows })),
    position: 1,
  })

  it('has the content that the sample made: another sample is no repetition of it', async () => {
    app.answer(jsonText(500, '{}'))
    const first = await ask('run-step', mapped())
    expect(first.body).toMatchObject({ run: { state: 'unknown' } })
    expect((await ask('run-step', mapped())).status).toBe(409)
    app.answer(jsonText(200, '{}'))
    const other = await ask('run-step', { ...mapped(), input: '{"id":"B/2"}' })
    expect(other.status, other.text).toBe(200)
    expect(app.upstream.received.map(({ body }) => body)).toEqual(['{"n":"A/1"}', '{"n":"B/2"}'])
  })

  it.each([
    ['by its rows', mapped, '{"n":"{{C}}"}'],
    [
      'by its template',
      () => ({ definition: definition(sendingInput()), position: 1 }),
      '{"n":"{{C}}","id":7}',
    ],
  ])('is sent again with the same body, made %s', async (_, made, body) => {
    app.answer(jsonText(422, '{}'))
    const ran = await ask('run-step', { ...made(), input: '{"id":"{{C}}"}' })
    expect(ran.body, ran.text).toMatchObject({ run: { state: 'rejected' } })
    app.answer(jsonText(200, '{}'))
    const { id } = (ran.body as { run: { id: number } }).run
    const again = await app.server.send('POST', `/api/runs/${id}/retry`, {
      token: app.token,
      body: {},
    })
    expect(again.status, again.text).toBe(200)
    expect(app.upstream.received).toMatchObject([
      { url: '/test/invoices', body },
      { url: '/test/invoices', body },
    ])
  })
})

it('the same sample is run again, also where its endpoint knows documents by their number', async () => {
  const reads = await app.server.send('GET', `/api/endpoint/${tested.submit}/edit`, {
    token: app.token,
  })
  const [{ api }] = reads.body as [{ api: { id: number } }]
  const endpoint = await made(
    '/api/endpoint',
    endpointOf(api.id, {
      method_type: 'post',
      path: '/numbered',
      run_settings: { reference_path: 'no' },
    }),
  )
  const asked = {
    definition: definition(step(endpoint, template('{"no":"{{input.id}}"}'))),
    position: 1,
  }
  for (const time of ['first', 'second']) {
    const ran = await ask('run-step', asked)
    expect(ran.status, `${time}: ${ran.text}`).toBe(200)
    expect(ran.body).toMatchObject({ at: 'test', run: { state: 'succeeded' } })
  }
  expect(app.upstream.received).toHaveLength(2)
})

describe('nothing is sent', () => {
  const condition = (source: string, value: string) => ({
    source,
    statuses: '',
    join: 'all',
    conditions: [{ path: 'id', test: 'equals', value }],
  })

  it('by what changes something at an API without a test address', async () => {
    const steps = definition(reading(), sending(app.endpoints.post))
    const refused = await ask('run-step', { definition: steps, position: 2, answers: [answer] })
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({
      errors: { 'definition.steps.1.endpoint_id': [expect.stringContaining('no test address')] },
    })
    expect(app.upstream.received).toEqual([])
  })

  it('while an answer is missing, or where the condition does not hold', async () => {
    const open = definition(reading(), sending())
    const early = await ask('run-step', { definition: open, position: 2 })
    expect(early.body).toMatchObject({ errors: { position: [expect.stringContaining('first')] } })
    const never = step(tested.submit, template('{}'), condition('steps.1.body', '1'))
    const skipped = definition(reading(), never)
    const asked = { definition: skipped, answers: [answer] }
    expect((await ask('preview', asked)).body).toMatchObject({ steps: [{}, { what: 'skip' }] })
    expect((await ask('run-step', { ...asked, position: 2 })).status).toBe(422)
    expect(app.upstream.received).toEqual([])
  })

  it('for a value that the answer lacks: the preview names it', async () => {
    const asked = {
      definition: definition(reading(), sending()),
      answers: [{ ...answer, body: '{}' }],
    }
    expect((await ask('preview', asked)).body).toMatchObject({
      steps: [
        {},
        { what: 'refused', problems: { 'steps.1.body': [expect.stringContaining('id')] } },
      ],
    })
    expect((await ask('run-step', { ...asked, position: 2 })).status).toBe(422)
    expect(app.upstream.received).toEqual([])
  })

  it.each([
    [['request.fetch'], 'submit', 403],
    [['request.fetch', 'request.send'], 'submit', 403],
    [['request.fetch', 'request.send', 'tax.test'], 'submit', 200],
    [['request.fetch'], 'read', 403],
    [['request.fetch', 'tax.test'], 'read', 200],
    [['request.send'], 'read', 403],
  ] as const)(
    'without its permissions: %s, what does %s, %i',
    async (permissions, kind, status) => {
      const user = await app.server.buildUser({ permissions: [...permissions] })
      const steps = definition(step(tested[kind], template('{}')))
      // Without access to the endpoint the definition itself is refused.
      const other = await ask('run-step', { definition: steps, position: 1 }, user.token)
      expect(other.status).toBe(permissions.includes('request.fetch' as never) ? 422 : 403)
      const { id: role_id } = await app.server.db
        .selectFrom('role')
        .select('id')
        .where('name', '=', user.roleName)
        .executeTakeFirstOrThrow()
      await app.server.db
        .insertInto('role_endpoint')
        .values({ role_id, endpoint_id: tested[kind] })
        .execute()
      const ran = await ask('run-step', { definition: steps, position: 1 }, user.token)
      expect(ran.status, ran.text).toBe(status)
      expect(app.upstream.received).toHaveLength(status === 200 ? 1 : 0)
    },
  )
})
