// Databases: SQLite.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  jsonText,
  startBuildRequestServer,
  type BuildAnswerer,
  type BuildRequestServer,
} from '../../../test/servers/build-request-server.ts'

let changes = 0
let app: BuildRequestServer
beforeAll(async () => {
  app = await startBuildRequestServer()
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(jsonText(200, '{"ok":true}'))
})

describe('the choices', () => {
  it('are the active endpoints of active APIs', async () => {
    const form = await app.server.send('GET', '/api/buildRequest', { token: app.token })
    const [options] = form.body as [{ id: number; summery: string; description: string }[]]
    const ids = options.map(({ id }) => id)
    expect(ids).toEqual(
      expect.arrayContaining([app.endpoints.get, app.endpoints.post, app.endpoints.refused]),
    )
    expect(ids).not.toContain(app.endpoints.disabled)
    expect(ids).not.toContain(app.endpoints.ofDisabledApi)
    expect(options[0]).toMatchObject({ summery: 'One post', description: 'Reads one post' })
  })

  it('are those that one of the caller’s roles has access to', async () => {
    const user = await app.server.buildUser({ permissions: ['request.view', 'request.fetch'] })
    expect((await app.server.send('GET', '/api/buildRequest', { token: user.token })).body).toEqual(
      [[]],
    )
    const refused = await app.get(app.endpoints.list, '', user.token)
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({
      errors: { end_point: ['None of your roles has access to this endpoint.'] },
    })
    const { id: role_id } = await app.server.db
      .selectFrom('role')
      .select('id')
      .where('name', '=', user.roleName)
      .executeTakeFirstOrThrow()
    await app.server.db
      .insertInto('role_endpoint')
      .values({ role_id, endpoint_id: app.endpoints.list ?? 0 })
      .execute()
    const [options] = (await app.server.send('GET', '/api/buildRequest', { token: user.token }))
      .body as [unknown[]]
    expect(options).toHaveLength(1)
    expect((await app.get(app.endpoints.list, '', user.token)).status).toBe(200)
  })
})

describe('Get', () => {
  it('fills the path from the body, sends the rest as query, and answers with the upstream’s JSON', async () => {
    const text = '{"id":12345678901234567890,"price":0.10,"huge":1E400,"list":[1.0,null]}'
    app.answer(jsonText(200, text))
    const fetched = await app.get(
      app.endpoints.get,
      '{"id":"a/b","tags":["x","y z"],"deep":{"n":1.50},"none":null,"flag":true}',
    )
    expect(fetched.status, fetched.text).toBe(200)
    expect(app.upstream.received[0]?.url).toBe(
      `/v1/posts/a%2Fb?tags=x&tags=y+z&deep=${encodeURIComponent('{"n":1.50}')}&flag=true`,
    )
    expect(fetched.text).toContain(`"data":${text}`)
    expect(fetched.body).toMatchObject({
      message: 'Data fetched successfully.',
      run: { state: 'succeeded', steps: [{ status: 200, outcome: 'ok' }] },
    })
  })

  it('uses the typed token, else the stored credential, and journals neither', async () => {
    await app.get(app.endpoints.list, '', app.token, { token: 'typed-credential' })
    await app.get(app.endpoints.list, '')
    expect(app.upstream.received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer typed-credential',
      'Bearer stored-credential',
    ])
    const rows = JSON.stringify([
      await app.server.db.selectFrom('run').selectAll().execute(),
      await app.server.db.selectFrom('run_step').selectAll().execute(),
      await app.server.db.selectFrom('run_attempt').selectAll().execute(),
    ])
    expect(rows).not.toMatch(/(stored|typed)-credential/)
    expect(app.server.logLines.join('')).not.toContain('credential')
  })

  it('takes the credential out of what an upstream echoes', async () => {
    app.answer((request, response) => response.end(JSON.stringify(request.headers)))
    for (const extra of [{}, { token: 'typed-credential' }]) {
      const fetched = await app.get(app.endpoints.list, '', app.token, extra)
      expect(fetched.status).toBe(200)
      expect(fetched.text).toContain('[credential]')
      expect(fetched.text).not.toMatch(/(stored|typed)-credential/)
      expect((await app.ledger()).attempt.answer_body).not.toMatch(/(stored|typed)-credential/)
    }
  })

  it.each([
    ['a key that occurs twice', '{"n":1,"n":2}', /can't be used: .*n/],
    ['nothing', '', /empty/],
    ['text', 'hello', /not JSON/],
  ])('tells what is wrong with %s', async (_name, text, message) => {
    app.answer(jsonText(200, text))
    expect((await app.get(app.endpoints.list)).body).toMatchObject({
      code: 'upstream.not_json',
      message: expect.stringMatching(message),
    })
  })

  it('never logs its query string', async () => {
    await app.get(app.endpoints.list, '{"customer":"Erika Mustermann"}')
    expect(app.server.logLines.join('')).toContain('/admin/get-data')
    expect(app.server.logLines.join('')).not.toContain('Erika')
  })

  it.each([
    ['end_point', () => app.get(undefined)],
    ['end_point', () => app.get('x')],
    ['end_point', () => app.get(999_999)],
    ['end_point', () => app.get(app.endpoints.disabled)],
    ['end_point', () => app.get(app.endpoints.ofDisabledApi)],
    ['body', () => app.get(app.endpoints.get)],
    ['body', () => app.get(app.endpoints.get, '{"id":null}')],
    ['body', () => app.get(app.endpoints.get, '{"id":".."}')],
    ['body', () => app.get(app.endpoints.get, '{not json')],
    ['body', () => app.get(app.endpoints.list, '[1]')],
    ['body', () => app.get(app.endpoints.list, 'x'.repeat(16_385))],
    ['token', () => app.get(app.endpoints.list, '', app.token, { token: 'two words' })],
  ])('refuses what it can’t send, on %s, before anything is sent (%#)', async (field, call) => {
    const refused = await call()
    expect(refused.status, refused.text).toBe(422)
    expect(Object.keys((refused.body as { errors: object }).errors)).toEqual([field])
    expect(app.upstream.received).toEqual([])
  })

  it.each([
    ['a POST', { method_type: 'post' }],
    ['a PUT', { method_type: 'put' }],
    ['a GET that is declared to submit', { run_settings: { effect: 'submit' } }],
    ['a GET that is declared idempotent', { run_settings: { effect: 'idempotent' } }],
    ['a POST whose body is not even sound', { method_type: 'post' }, '{not json'],
  ])('fetches nothing by %s, however often it is asked', async (_name, settings, body = '{}') => {
    const endpoint = await app.createEndpoint({ path: `/changes-${++changes}`, ...settings })
    for (let time = 0; time < 2; time++) {
      const refused = await app.get(endpoint, body)
      expect(refused.status, refused.text).toBe(422)
      expect(refused.body).toMatchObject({
        errors: { end_point: [expect.stringContaining('Get only reads')] },
      })
    }
    expect(app.upstream.received).toEqual([])
    const runs = await app.server.db.selectFrom('run_step').select('endpoint_id').execute()
    expect(runs.map(({ endpoint_id }) => endpoint_id)).not.toContain(endpoint)
  })

  it('fetches by a POST that is declared to read, and the choices say what each endpoint does', async () => {
    const search = await app.createEndpoint({
      path: '/search',
      method_type: 'post',
      run_settings: { effect: 'read' },
    })
    const fetched = await app.get(search, '{"q":1}')
    expect(fetched.status, fetched.text).toBe(200)
    expect(app.upstream.received[0]).toMatchObject({ method: 'POST', body: '{"q":1}' })
    const form = await app.server.send('GET', '/api/buildRequest', { token: app.token })
    const [options] = form.body as [{ id: number; effect: string }[]]
    const effects = new Map(options.map(({ id, effect }) => [id, effect]))
    const { get, post, put } = app.endpoints
    expect([search, get, post, put].map((id) => effects.get(id))).toEqual([
      'read',
      'read',
      'submit',
      'idempotent',
    ])
  })

  it.each<[string, BuildAnswerer, number, string, RegExp]>([
    ['a 500', jsonText(500, '{"error":"down"}'), 502, 'upstream.status', /answered 500/],
    ['a 404', jsonText(404, 'no'), 502, 'upstream.status', /answered 404/],
    ['a 401', jsonText(401, ''), 502, 'upstream.status', /answered 401/],
    ['text that is not JSON', jsonText(200, '<html>'), 502, 'upstream.not_json', /not JSON/],
    ['an empty body', jsonText(200, ''), 502, 'upstream.not_json', /empty/],
    ['silence', () => {}, 504, 'upstream.timeout', /in time/],
    [
      'a cut connection',
      (_request, _response, socket) => socket.destroy(),
      502,
      'upstream.cut',
      /broke/,
    ],
    [
      'a cut body',
      (_request, response, socket) =>
        response.writeHead(200, { 'content-length': 100 }).write('{"a":', () => socket.destroy()),
      502,
      'upstream.cut',
      /broke/,
    ],
    [
      '17 MiB',
      (_request, response) => response.writeHead(200).end(Buffer.alloc(17 * 1024 * 1024, ' ')),
      502,
      'upstream.too_large',
      /16 MiB/,
    ],
    [
      'a redirect to a metadata address',
      (_request, response) =>
        response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
      502,
      'upstream.redirect',
      /redirect/i,
    ],
  ])('says clearly what happened upon %s', async (_name, answerer, status, code, message) => {
    app.answer(answerer)
    const failed = await app.get(
      code === 'upstream.timeout' ? app.endpoints.impatientGet : app.endpoints.list,
    )
    expect(failed.status, failed.text).toBe(status)
    expect(failed.body).toMatchObject({
      code,
      message: expect.stringMatching(message),
      request_id: expect.any(String),
      run: { id: expect.any(Number) },
    })
    expect(app.upstream.received).toHaveLength(1)
    expect((await app.ledger()).attempt.finished_at).not.toBeNull()
  })
})
