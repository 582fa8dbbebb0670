import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildServer, endpointOf, httpApi, type TestServer } from '../../../test/build-server.ts'
import { startUpstream, type Received } from '../../../test/hostile-upstream.ts'

type Answerer = (request: Received, response: ServerResponse, socket: Socket) => void

const json =
  (status: number, text: string): Answerer =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)

let server: TestServer
let upstream: Awaited<ReturnType<typeof startUpstream>>
let token: string
let answer: Answerer
const endpoints: Record<string, number> = {}

beforeAll(async () => {
  server = await buildServer()
  token = server.admin.token
  upstream = await startUpstream((request, response, socket) => answer(request, response, socket))
  const apiId = await createApi({
    name: 'Upstream',
    api_url: `${upstream.url}/v1`,
    upstream_token: 'stored-credential',
  })
  endpoints.get = await createEndpoint(apiId, { method_type: 'get', path: '/posts/{id}' })
  endpoints.list = await createEndpoint(apiId, { method_type: 'get', path: '/posts' })
  endpoints.post = await createEndpoint(apiId, { method_type: 'post', path: '/posts' })
  endpoints.put = await createEndpoint(apiId, { method_type: 'put', path: '/posts/{id}' })
  const impatient = await createApi({
    name: 'Impatient',
    api_url: upstream.url,
    answer_timeout_ms: 300,
  })
  endpoints.impatientGet = await createEndpoint(impatient, { method_type: 'get', path: '/posts' })
  endpoints.impatientPost = await createEndpoint(impatient, { method_type: 'post', path: '/posts' })
  endpoints.disabled = await createEndpoint(apiId, { path: '/disabled', status: 'disabled' })
  const disabledApi = await createApi({ name: 'Disabled', gateway_status: 'disabled' })
  endpoints.ofDisabledApi = await createEndpoint(disabledApi, { path: '/x' })
  const refusing = await createApi({ name: 'Refusing', api_url: await closedPort() })
  endpoints.refused = await createEndpoint(refusing, { path: '/x', method_type: 'post' })
})
afterAll(async () => {
  await server.close()
  await upstream.close()
})
beforeEach(() => {
  upstream.received.length = 0
  answer = json(200, '{"ok":true}')
})

async function createApi(overrides: Record<string, unknown>): Promise<number> {
  const created = await server.send('POST', '/api/apis', { token, body: httpApi(overrides) })
  expect(created.status, created.text).toBe(201)
  return (created.body as { id: number }).id
}

async function createEndpoint(apiId: number, overrides: Record<string, unknown>): Promise<number> {
  const created = await server.send('POST', '/api/endpoint', {
    token,
    body: endpointOf(apiId, overrides),
  })
  expect(created.status, created.text).toBe(201)
  return (created.body as { id: number }).id
}

async function closedPort(): Promise<string> {
  const closed = await startUpstream(() => {})
  await closed.close()
  return closed.url
}

const get = (
  end_point: string | number | undefined,
  body = '',
  as = token,
  extra: Record<string, string> = {},
) =>
  server.send('GET', '/admin/get-data', {
    token: as,
    query: { end_point: String(end_point ?? ''), body, ...extra },
    headers: { 'x-csrf-token': as },
  })
const send = (
  end_point: unknown,
  second_endpoint: unknown,
  first_endpoint = '',
  extra: Record<string, unknown> = {},
) =>
  server.send('POST', '/api/prepare-data', {
    token,
    body: { end_point, first_endpoint, second_endpoint, ...extra },
  })

const ledger = async () => {
  const [run] = await server.db
    .selectFrom('run')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  const step = await server.db
    .selectFrom('run_step')
    .selectAll()
    .where('run_id', '=', run?.id ?? 0)
    .executeTakeFirstOrThrow()
  const attempt = await server.db
    .selectFrom('run_attempt')
    .selectAll()
    .where('step_id', '=', step.id)
    .executeTakeFirstOrThrow()
  return { run, step, attempt }
}

describe('the choices', () => {
  it('are the active endpoints of active APIs', async () => {
    const form = await server.send('GET', '/api/buildRequest', { token })
    const [options] = form.body as [{ id: number; summery: string; description: string }[]]
    const ids = options.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([endpoints.get, endpoints.post, endpoints.refused]))
    expect(ids).not.toContain(endpoints.disabled)
    expect(ids).not.toContain(endpoints.ofDisabledApi)
    expect(options[0]).toMatchObject({ summery: 'One post', description: 'Reads one post' })
  })

  it('are those that one of the caller’s roles has access to', async () => {
    const user = await server.buildUser({ permissions: ['request.view', 'request.fetch'] })
    expect((await server.send('GET', '/api/buildRequest', { token: user.token })).body).toEqual([
      [],
    ])
    const refused = await get(endpoints.list, '', user.token)
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({
      errors: { end_point: ['None of your roles has access to this endpoint.'] },
    })
    const { id: role_id } = await server.db
      .selectFrom('role')
      .select('id')
      .where('name', '=', user.roleName)
      .executeTakeFirstOrThrow()
    await server.db
      .insertInto('role_endpoint')
      .values({ role_id, endpoint_id: endpoints.list ?? 0 })
      .execute()
    const [options] = (await server.send('GET', '/api/buildRequest', { token: user.token }))
      .body as [unknown[]]
    expect(options).toHaveLength(1)
    expect((await get(endpoints.list, '', user.token)).status).toBe(200)
  })
})

describe('Get', () => {
  it('fills the path from the body, sends the rest as query, and answers with the upstream’s JSON', async () => {
    const text = '{"id":12345678901234567890,"price":0.10,"huge":1E400,"list":[1.0,null]}'
    answer = json(200, text)
    const fetched = await get(
      endpoints.get,
      '{"id":"a/b","tags":["x","y z"],"deep":{"n":1.50},"none":null,"flag":true}',
    )
    expect(fetched.status, fetched.text).toBe(200)
    expect(upstream.received[0]?.url).toBe(
      `/v1/posts/a%2Fb?tags=x&tags=y+z&deep=${encodeURIComponent('{"n":1.50}')}&flag=true`,
    )
    expect(fetched.text).toContain(`"data":${text}`)
    expect(fetched.body).toMatchObject({
      message: 'Data fetched successfully.',
      run: { state: 'succeeded', steps: [{ status: 200, outcome: 'ok' }] },
    })
  })

  it('uses the typed token, else the stored credential, and journals neither', async () => {
    await get(endpoints.list, '', token, { token: 'typed-credential' })
    await get(endpoints.list, '')
    expect(upstream.received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer typed-credential',
      'Bearer stored-credential',
    ])
    const rows = JSON.stringify([
      await server.db.selectFrom('run').selectAll().execute(),
      await server.db.selectFrom('run_step').selectAll().execute(),
      await server.db.selectFrom('run_attempt').selectAll().execute(),
    ])
    expect(rows).not.toMatch(/(stored|typed)-credential/)
    expect(server.logLines.join('')).not.toContain('credential')
  })

  it('takes the credential out of what an upstream echoes', async () => {
    answer = (request, response) => response.end(JSON.stringify(request.headers))
    for (const extra of [{}, { token: 'typed-credential' }]) {
      const fetched = await get(endpoints.list, '', token, extra)
      expect(fetched.status).toBe(200)
      expect(fetched.text).toContain('[credential]')
      expect(fetched.text).not.toMatch(/(stored|typed)-credential/)
      expect((await ledger()).attempt.answer_body).not.toMatch(/(stored|typed)-credential/)
    }
  })

  it.each([
    ['a key that stands twice', '{"n":1,"n":2}', /can't be used: .*n/],
    ['nothing', '', /empty/],
    ['text', 'hello', /not JSON/],
  ])('tells what is wrong with %s', async (_name, text, message) => {
    answer = json(200, text)
    expect((await get(endpoints.list)).body).toMatchObject({
      code: 'upstream.not_json',
      message: expect.stringMatching(message),
    })
  })

  it('never logs its query string', async () => {
    await get(endpoints.list, '{"customer":"Erika Mustermann"}')
    expect(server.logLines.join('')).toContain('/admin/get-data')
    expect(server.logLines.join('')).not.toContain('Erika')
  })

  it.each([
    ['end_point', () => get(undefined)],
    ['end_point', () => get('x')],
    ['end_point', () => get(999_999)],
    ['end_point', () => get(endpoints.disabled)],
    ['end_point', () => get(endpoints.ofDisabledApi)],
    ['body', () => get(endpoints.get)],
    ['body', () => get(endpoints.get, '{"id":null}')],
    ['body', () => get(endpoints.get, '{"id":".."}')],
    ['body', () => get(endpoints.get, '{not json')],
    ['body', () => get(endpoints.list, '[1]')],
    ['body', () => get(endpoints.list, 'x'.repeat(16_385))],
    ['token', () => get(endpoints.list, '', token, { token: 'two words' })],
  ])('refuses what it can’t send, on %s, before anything is sent (%#)', async (field, call) => {
    const refused = await call()
    expect(refused.status, refused.text).toBe(422)
    expect(Object.keys((refused.body as { errors: object }).errors)).toEqual([field])
    expect(upstream.received).toEqual([])
  })

  it.each<[string, Answerer, number, string, RegExp]>([
    ['a 500', json(500, '{"error":"down"}'), 502, 'upstream.status', /answered 500/],
    ['a 404', json(404, 'no'), 502, 'upstream.status', /answered 404/],
    ['a 401', json(401, ''), 502, 'upstream.status', /answered 401/],
    ['text that is not JSON', json(200, '<html>'), 502, 'upstream.not_json', /not JSON/],
    ['an empty body', json(200, ''), 502, 'upstream.not_json', /empty/],
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
    answer = answerer
    const failed = await get(code === 'upstream.timeout' ? endpoints.impatientGet : endpoints.list)
    expect(failed.status, failed.text).toBe(status)
    expect(failed.body).toMatchObject({
      code,
      message: expect.stringMatching(message),
      request_id: expect.any(String),
      run: { id: expect.any(Number) },
    })
    expect(upstream.received).toHaveLength(1)
    expect((await ledger()).attempt.finished_at).not.toBeNull()
  })
})

describe('Send', () => {
  const rows = [
    { from: 'id', to: 'post.id', custom_input: '', type: 'string' },
    { from: 'price', to: 'post.price', custom_input: '', type: 'number' },
    { from: '', to: 'source', custom_input: 'ERP', type: 'string' },
  ]

  it('maps again on the server and sends the result, exact numbers included', async () => {
    answer = json(201, '{"created":98765432109876543210}')
    const sent = await send(
      endpoints.post,
      JSON.stringify(rows),
      '{"id":12345678901234567890,"price":0.10}',
    )
    expect(sent.status, sent.text).toBe(200)
    expect(upstream.received[0]).toMatchObject({
      method: 'POST',
      url: '/v1/posts',
      body: '{"post":{"id":"12345678901234567890","price":0.10},"source":"ERP"}',
      headers: { 'content-type': 'application/json' },
    })
    expect(sent.text).toContain('"data":{"created":98765432109876543210}')
  })

  it('sends a finished body to the byte', async () => {
    const body = '{ "total": 1E400,\n  "list": [] }'
    expect((await send(endpoints.post, body)).status).toBe(200)
    expect(upstream.received[0]?.body).toBe(body)
  })

  it('sends no byte order mark and no half of a character', async () => {
    expect((await send(endpoints.post, '\uFEFF{"a":1}')).status).toBe(200)
    expect(upstream.received[0]?.body).toBe('{"a":1}')
    expect((await send(endpoints.post, '{"a":"\ud800"}')).status).toBe(422)
    expect(upstream.received).toHaveLength(1)
  })

  it('fills the path of a PUT and leaves the rest in the body', async () => {
    expect((await send(endpoints.put, '{"id":7,"title":"T"}')).status).toBe(200)
    expect(upstream.received[0]).toMatchObject({
      method: 'PUT',
      url: '/v1/posts/7',
      body: '{"title":"T"}',
    })
  })

  it('takes an answer that is not JSON, and none at all, for what they are', async () => {
    answer = json(200, 'thanks')
    expect((await send(endpoints.post, '{}')).body).toMatchObject({ data: 'thanks' })
    answer = (_, response) => response.writeHead(204).end()
    expect((await send(endpoints.post, '{}')).body).toMatchObject({ data: null })
  })

  it.each([
    ['end_point', () => send('', '{}')],
    ['end_point', () => send(endpoints.disabled, '{}')],
    ['second_endpoint', () => send(endpoints.post, '')],
    ['second_endpoint', () => send(endpoints.post, '{"a":')],
    ['second_endpoint', () => send(endpoints.post, JSON.stringify(rows), '{"price":1}')],
    ['second_endpoint', () => send(endpoints.post, '[{"to":"__proto__.x","custom_input":"1"}]')],
    ['first_endpoint', () => send(endpoints.post, JSON.stringify(rows), '{"id":')],
    ['second_endpoint', () => send(endpoints.put, '{"title":"no id"}')],
  ])('refuses what it can’t send, on %s, before anything is sent (%#)', async (field, call) => {
    const refused = await call()
    expect(refused.status, refused.text).toBe(422)
    expect(Object.keys((refused.body as { errors: object }).errors)).toEqual([field])
    expect(upstream.received).toEqual([])
  })

  it('says that nothing was sent when the connection is refused', async () => {
    const failed = await send(endpoints.refused, '{}')
    expect(failed.status).toBe(502)
    expect(failed.body).toMatchObject({
      code: 'upstream.refused',
      run: { state: 'not_started', steps: [{ outcome: 'not_sent' }] },
    })
  })

  it('calls a rejection one', async () => {
    answer = json(422, '{"errors":["total"]}')
    const failed = await send(endpoints.post, '{}')
    expect(failed.status).toBe(502)
    expect(failed.body).toMatchObject({
      run: { state: 'rejected' },
      answer: '{"errors":["total"]}',
    })
  })

  it.each<[string, Answerer, string]>([
    ['a 500', json(500, 'x'), 'server_error'],
    ['silence', () => {}, 'timeout'],
    ['a cut connection', (_request, _response, socket) => socket.destroy(), 'cut'],
  ])(
    'admits that it does not know what became of a POST upon %s',
    async (_name, answerer, outcome) => {
      answer = answerer
      const failed = await send(
        outcome === 'timeout' ? endpoints.impatientPost : endpoints.post,
        JSON.stringify({ outcome }),
      )
      expect(failed.status).toBe(504)
      expect(failed.body).toMatchObject({
        code: 'run.unknown',
        run: { state: 'unknown', steps: [{ outcome }] },
      })
      expect(upstream.received).toHaveLength(1)
    },
  )
})

describe('the ledger', () => {
  it('has committed what is sent before the socket opens', async () => {
    let seen: Awaited<ReturnType<typeof ledger>> | undefined
    answer = (_, response) => {
      void ledger().then((rows) => {
        seen = rows
        response.end('{}')
      })
    }
    await send(endpoints.post, '{"n":0.10}')
    expect(seen).toMatchObject({
      run: { kind: 'build', state: 'running', user_name: 'admin' },
      step: {
        state: 'sending',
        effect: 'submit',
        method: 'POST',
        url: `${upstream.url}/v1/posts`,
        body: '{"n":0.10}',
      },
      attempt: { number: 1, outcome: null, finished_at: null },
    })
    expect(await ledger()).toMatchObject({
      run: { state: 'succeeded' },
      step: { state: 'succeeded' },
      attempt: { outcome: 'ok', status: 200, answer_body: '{}' },
    })
  })

  it('calls an attempt that our own death cut off unknown when it was a submit, not started when a read', async () => {
    for (const [endpoint, effect, state, runState] of [
      [endpoints.post, 'submit', 'unknown', 'unknown'],
      [endpoints.list, 'read', 'waiting', 'not_started'],
    ] as const) {
      await (endpoint === endpoints.post ? send(endpoint, '{}') : get(endpoint))
      const { run, step, attempt } = await ledger()
      // The state that a kill between the two commits leaves behind.
      await server.db
        .updateTable('run_attempt')
        .set({ outcome: null, finished_at: null })
        .where('id', '=', attempt.id)
        .execute()
      await server.db
        .updateTable('run_step')
        .set({ state: 'sending' })
        .where('id', '=', step.id)
        .execute()
      await server.db
        .updateTable('run')
        .set({ state: 'running', lease_owner: 'test-server' })
        .where('id', '=', run?.id ?? 0)
        .execute()
      expect(await server.ledger.recover({ own: true })).toBe(1)
      expect(await ledger()).toMatchObject({
        run: { id: run?.id, state: runState },
        step: { effect, state },
        attempt: { outcome: 'crash' },
      })
      expect(await server.ledger.recover({ own: true })).toBe(0)
    }
  })
})
