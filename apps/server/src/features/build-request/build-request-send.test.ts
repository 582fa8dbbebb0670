// Databases: SQLite.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  jsonText,
  startBuildRequestServer,
  type BuildAnswerer,
  type BuildRequestServer,
} from '../../../test/servers/build-request-server.ts'

let app: BuildRequestServer
beforeAll(async () => {
  app = await startBuildRequestServer()
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(jsonText(200, '{"ok":true}'))
})

describe('Send', () => {
  const rows = [
    { from: 'id', to: 'post.id', custom_input: '', type: 'string' },
    { from: 'price', to: 'post.price', custom_input: '', type: 'number' },
    { from: '', to: 'source', custom_input: 'ERP', type: 'string' },
  ]

  it('maps again on the server and sends the result, exact numbers included', async () => {
    app.answer(jsonText(201, '{"created":98765432109876543210}'))
    const sent = await app.send(
      app.endpoints.post,
      JSON.stringify(rows),
      '{"id":12345678901234567890,"price":0.10}',
    )
    expect(sent.status, sent.text).toBe(200)
    expect(app.upstream.received[0]).toMatchObject({
      method: 'POST',
      url: '/v1/posts',
      body: '{"post":{"id":"12345678901234567890","price":0.10},"source":"ERP"}',
      headers: { 'content-type': 'application/json' },
    })
    expect(sent.text).toContain('"data":{"created":98765432109876543210}')
  })

  it('gives each Send its own UUID and time, and a repeated key what it had', async () => {
    const typed = JSON.stringify(
      ['uuid()', 'uuid("other")', 'now()', 'concat(id, "!")'].map((from, at) => ({
        from,
        to: `[${at}]`,
        custom_input: '',
        type: '',
      })),
    )
    const send = (key?: string) =>
      app.server.send('POST', '/api/prepare-data', {
        token: app.token,
        headers: key === undefined ? {} : { 'idempotency-key': key },
        body: { end_point: app.endpoints.post, first_endpoint: '{"id":7}', second_endpoint: typed },
      })
    for (const key of [undefined, undefined, 'key-of-functions', 'key-of-functions']) {
      const sent = await send(key)
      expect(sent.status, sent.text).toBe(200)
    }
    const [one, other, keyed, ...more] = app.upstream.received.map(
      ({ body }) => JSON.parse(body) as string[],
    )
    // The second request with the key is answered by the first, and not as a different request.
    expect(more).toEqual([])
    expect(one?.[0]).toMatch(/^[\da-f-]{36}$/)
    expect(one?.[1]).not.toBe(one?.[0])
    expect(one?.[2]).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect(one?.[3]).toBe('7!')
    expect(new Set([one?.[0], other?.[0], keyed?.[0]]).size).toBe(3)
  })

  it('sends a finished body to the byte', async () => {
    const body = '{ "total": 1E400,\n  "list": [] }'
    expect((await app.send(app.endpoints.post, body)).status).toBe(200)
    expect(app.upstream.received[0]?.body).toBe(body)
  })

  it('sends no byte order mark and no half of a character', async () => {
    expect((await app.send(app.endpoints.post, '\uFEFF{"a":1}')).status).toBe(200)
    expect(app.upstream.received[0]?.body).toBe('{"a":1}')
    expect((await app.send(app.endpoints.post, '{"a":"\ud800"}')).status).toBe(422)
    expect(app.upstream.received).toHaveLength(1)
  })

  it('fills the path of a PUT and leaves the rest in the body', async () => {
    expect((await app.send(app.endpoints.put, '{"id":7,"title":"T"}')).status).toBe(200)
    expect(app.upstream.received[0]).toMatchObject({
      method: 'PUT',
      url: '/v1/posts/7',
      body: '{"title":"T"}',
    })
  })

  it('takes an answer that is not JSON, and none at all, for what they are', async () => {
    app.answer(jsonText(200, 'thanks'))
    expect((await app.send(app.endpoints.post, '{}')).body).toMatchObject({ data: 'thanks' })
    app.answer((_, response) => response.writeHead(204).end())
    expect((await app.send(app.endpoints.post, '{}')).body).toMatchObject({ data: null })
  })

  it.each([
    ['end_point', () => app.send('', '{}')],
    ['end_point', () => app.send(app.endpoints.disabled, '{}')],
    ['second_endpoint', () => app.send(app.endpoints.post, '')],
    ['second_endpoint', () => app.send(app.endpoints.post, '{"a":')],
    ['second_endpoint', () => app.send(app.endpoints.post, JSON.stringify(rows), '{"price":1}')],
    [
      'second_endpoint',
      () => app.send(app.endpoints.post, '[{"to":"__proto__.x","custom_input":"1"}]'),
    ],
    ['first_endpoint', () => app.send(app.endpoints.post, JSON.stringify(rows), '{"id":')],
    ['second_endpoint', () => app.send(app.endpoints.put, '{"title":"no id"}')],
  ])('refuses what it can’t send, on %s, before anything is sent (%#)', async (field, call) => {
    const refused = await call()
    expect(refused.status, refused.text).toBe(422)
    expect(Object.keys((refused.body as { errors: object }).errors)).toEqual([field])
    expect(app.upstream.received).toEqual([])
  })

  it('says that nothing was sent when the connection is refused', async () => {
    const failed = await app.send(app.endpoints.refused, '{}')
    expect(failed.status).toBe(502)
    expect(failed.body).toMatchObject({
      code: 'upstream.refused',
      run: { state: 'not_started', steps: [{ outcome: 'not_sent' }] },
    })
  })

  it('calls a rejection one', async () => {
    app.answer(jsonText(422, '{"errors":["total"]}'))
    const failed = await app.send(app.endpoints.post, '{}')
    expect(failed.status).toBe(502)
    expect(failed.body).toMatchObject({
      run: { state: 'rejected' },
      answer: '{"errors":["total"]}',
    })
  })

  it.each<[string, BuildAnswerer, string]>([
    ['a 500', jsonText(500, 'x'), 'server_error'],
    ['silence', () => {}, 'timeout'],
    ['a cut connection', (_request, _response, socket) => socket.destroy(), 'cut'],
  ])(
    'admits that it does not know what became of a POST upon %s',
    async (_name, answerer, outcome) => {
      app.answer(answerer)
      const failed = await app.send(
        outcome === 'timeout' ? app.endpoints.impatientPost : app.endpoints.post,
        JSON.stringify({ outcome }),
      )
      expect(failed.status).toBe(504)
      expect(failed.body).toMatchObject({
        code: 'run.unknown',
        run: { state: 'unknown', steps: [{ outcome }] },
      })
      expect(app.upstream.received).toHaveLength(1)
    },
  )
})

describe('the ledger', () => {
  it('has committed what is sent before the socket opens', async () => {
    let seen: Awaited<ReturnType<typeof app.ledger>> | undefined
    app.answer((_, response) => {
      void app.ledger().then((rows) => {
        seen = rows
        response.end('{}')
      })
    })
    await app.send(app.endpoints.post, '{"n":0.10}')
    expect(seen).toMatchObject({
      run: { kind: 'build', state: 'running', user_name: 'admin' },
      step: {
        state: 'sending',
        effect: 'submit',
        method: 'POST',
        url: `${app.upstream.url}/v1/posts`,
        body: '{"n":0.10}',
      },
      attempt: { number: 1, outcome: null, finished_at: null },
    })
    expect(await app.ledger()).toMatchObject({
      run: { state: 'succeeded' },
      step: { state: 'succeeded' },
      attempt: { outcome: 'ok', status: 200, answer_body: '{}' },
    })
  })

  it('calls an attempt that our own death cut off unknown when it was a submit, not started when a read', async () => {
    for (const [endpoint, effect, state, runState] of [
      [app.endpoints.post, 'submit', 'unknown', 'unknown'],
      [app.endpoints.list, 'read', 'waiting', 'not_started'],
    ] as const) {
      await (endpoint === app.endpoints.post ? app.send(endpoint, '{}') : app.get(endpoint))
      const { run, step, attempt } = await app.ledger()
      // The state that a kill between the two commits leaves behind.
      await app.server.db
        .updateTable('run_attempt')
        .set({ outcome: null, finished_at: null })
        .where('id', '=', attempt.id)
        .execute()
      await app.server.db
        .updateTable('run_step')
        .set({ state: 'sending' })
        .where('id', '=', step.id)
        .execute()
      await app.server.db
        .updateTable('run')
        .set({ state: 'running', lease_owner: 'test-server' })
        .where('id', '=', run?.id ?? 0)
        .execute()
      expect(await app.server.ledger.recover({ own: true })).toBe(1)
      expect(await app.ledger()).toMatchObject({
        run: { id: run?.id, state: runState },
        step: { effect, state },
        attempt: { outcome: 'crash' },
      })
      expect(await app.server.ledger.recover({ own: true })).toBe(0)
    }
  })
})
