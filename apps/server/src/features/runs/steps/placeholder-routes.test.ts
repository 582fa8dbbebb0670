import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(json(200, { id: 7 }))
})

let content = 0
const one = () => ({ end_point: post, body: `{"n":${++content}}` })
const errorsOf = (answer: { body: unknown }) =>
  (answer.body as { errors: Record<string, string[]> }).errors

describe('what looks like a placeholder and is none', () => {
  it.each([
    ['/api/tax', '{"a":"{{step.1.body.id}}"}'],
    ['/api/credit/tax', '{"a":"{{Steps.1.body.id}}"}'],
    ['/api/tax/preview', '{"a":"x {{step.1.body.id}}"}'],
  ])('%s refuses it on its field, with the one that was meant', async (path, body) => {
    const bundle = { endpoint_1: one(), endpoint_2: { end_point: post, body } }
    const refused = await app.post(path, bundle)
    expect(refused.status, refused.text).toBe(422)
    expect(errorsOf(refused)).toEqual({
      'endpoint_2.body': [expect.stringContaining('Did you mean {{steps.1.body.id}}?')],
    })
    expect(app.upstream.received).toEqual([])
  })

  it('is refused in a finished body, in the body of a Get, and in Custom Input', async () => {
    const send = await app.post('/api/prepare-data', {
      end_point: post,
      second_endpoint: '{"a":"{{uuid}}"}',
    })
    expect(Object.keys(errorsOf(send))).toEqual(['second_endpoint'])
    const get = await app.server.send('GET', '/admin/get-data', {
      token: app.token,
      query: { end_point: String(read), body: '{"a":"{{uuid}}"}' },
    })
    expect(Object.keys(errorsOf(get))).toEqual(['body'])
    const rows = [{ from: '', to: 'a', custom_input: '{{steps.1.body.id}}', type: '' }]
    const mapped = await app.post('/api/prepare-data', {
      end_point: post,
      first_endpoint: '{}',
      second_endpoint: JSON.stringify(rows),
    })
    expect(errorsOf(mapped)['second_endpoint']?.[0]).toMatch(/Row 1, custom_input: .*placeholders/)
    expect(app.upstream.received).toEqual([])
  })

  it.each(['{{steps.1.body.token}}', '{{token}}', 'x{{'])(
    'is refused in a Token: %s',
    async (token) => {
      const bundle = { endpoint_1: one(), endpoint_2: { ...one(), token } }
      for (const path of ['/api/tax', '/api/credit/tax']) {
        const refused = await app.post(path, bundle)
        expect(refused.status).toBe(422)
        expect(Object.keys(errorsOf(refused))).toEqual(['endpoint_2.token'])
      }
      expect(app.upstream.received).toEqual([])
    },
  )
})

describe('braces that are text', () => {
  it('leave as two, and the rest to the byte; the same bytes are kept', async () => {
    const body = '{ "a" : "{{{{name}}",  "n":1.0 }'
    const sent = await app.tax([{ end_point: post, body }])
    expect(sent.status, sent.text).toBe(200)
    const bytes = '{ "a" : "{{name}}",  "n":1.0 }'
    expect(app.upstream.received[0]?.body).toBe(bytes)
    const { steps } = await app.show(runOf(sent).id)
    expect(steps[0]).toMatchObject({ body: { text: bytes }, source_body: { text: body } })
  })

  it('are sent again as they left', async () => {
    app.answer(json(429, {}))
    const failed = await app.tax([{ end_point: post, body: '{"r":"{{{{name}}"}' }])
    expect(runOf(failed)).toMatchObject({ state: 'not_started' })
    app.answer(json(200, {}))
    const resumed = await app.post(`/api/runs/${runOf(failed).id}/resume`, {})
    expect(resumed.status, resumed.text).toBe(200)
    const bodies = app.upstream.received.map(({ body }) => body)
    expect(bodies).toEqual(['{"r":"{{name}}"}', '{"r":"{{name}}"}'])
  })

  it('of a body that an earlier version took for text go again as they were', async () => {
    app.answer(json(429, {}))
    const failed = await app.tax([{ end_point: post, body: '{"r":"{{{{older}}"}' }])
    const { id } = runOf(failed)
    await app.server.db
      .updateTable('run_step')
      .set({ source_body: '{"r":"{{older}}"}' })
      .where('run_id', '=', id)
      .execute()
    app.answer(json(200, {}))
    const resumed = await app.post(`/api/runs/${id}/resume`, {})
    expect(resumed.status, resumed.text).toBe(200)
    expect(app.upstream.received.at(-1)?.body).toBe('{"r":"{{older}}"}')
  })

  it('of fetched data are mapped as they are', async () => {
    const sent = await app.post('/api/prepare-data', {
      end_point: post,
      first_endpoint: '{"t":"Dear {{name}}, {{{x}}}"}',
      second_endpoint: JSON.stringify([
        { from: 't', to: 'text', custom_input: '', type: '' },
        { from: '', to: 'own', custom_input: '{{{{y}}', type: '' },
      ]),
    })
    expect(sent.status, sent.text).toBe(200)
    expect(app.upstream.received[0]?.body).toBe('{"text":"Dear {{name}}, {{{x}}}","own":"{{y}}"}')
  })
})
