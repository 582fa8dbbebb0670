import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  json,
  runOf,
  startRunServer,
  type Answerer,
  type RunServer,
} from '../../../../test/servers/run-server.ts'
import { startUpstream } from '../../../../test/servers/hostile-upstream.ts'

// spec: outcomes: each row is produced by a real socket that does it.

let app: RunServer
const endpoints: Record<string, number> = {}
beforeAll(async () => {
  app = await startRunServer()
  endpoints.submit = await app.endpoint()
  endpoints.idempotent = await app.endpoint({ method_type: 'put' })
  endpoints.read = await app.endpoint({ method_type: 'get' })
  const closed = await startUpstream(() => {})
  await closed.close()
  const refusing = await app.createApi({ name: 'Refusing', api_url: closed.url })
  endpoints.refused = await app.endpoint({}, refusing)
  const nameless = await app.createApi({ name: 'Nameless', api_url: 'http://nowhere.invalid' })
  endpoints.nameless = await app.endpoint({}, nameless)
  // 192.0.2.0/24 is documentation (RFC 5737): nothing answers there, or nothing routes there.
  const far = await app.createApi({
    name: 'Far',
    api_url: 'http://192.0.2.1:9',
    connect_timeout_ms: 150,
  })
  endpoints.far = await app.endpoint({}, far)
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
})

let content = 0
const send = (endpoint: number | undefined) =>
  app.tax([{ end_point: endpoint ?? 0, body: `{"n":${++content}}` }])

const cutHead: Answerer = (_request, _response, socket) => socket.destroy()
const cutBody: Answerer = (_request, response, socket) =>
  response.writeHead(200, { 'content-length': 100 }).write('{"a":', () => socket.destroy())
const silence: Answerer = () => {}
const notHttp: Answerer = (_request, _response, socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')

const rows: [string, Answerer, string, { submit: string; idempotent: string; read: string }][] = [
  [
    'a whole 200',
    json(200, {}),
    'ok',
    { submit: 'succeeded', idempotent: 'succeeded', read: 'succeeded' },
  ],
  ['201', json(201, {}), 'ok', { submit: 'succeeded', idempotent: 'succeeded', read: 'succeeded' }],
  ['2xx cut short', cutBody, 'cut', { submit: 'unknown', idempotent: 'waiting', read: 'waiting' }],
  [
    '208',
    json(208, {}),
    'duplicate',
    { submit: 'blocked', idempotent: 'blocked', read: 'blocked' },
  ],
  [
    '400',
    json(400, {}),
    'rejected',
    { submit: 'rejected', idempotent: 'rejected', read: 'rejected' },
  ],
  [
    '404',
    json(404, {}),
    'rejected',
    { submit: 'rejected', idempotent: 'rejected', read: 'rejected' },
  ],
  [
    '409',
    json(409, {}),
    'rejected',
    { submit: 'rejected', idempotent: 'rejected', read: 'rejected' },
  ],
  [
    '422',
    json(422, {}),
    'rejected',
    { submit: 'rejected', idempotent: 'rejected', read: 'rejected' },
  ],
  ['401', json(401, {}), 'auth', { submit: 'blocked', idempotent: 'blocked', read: 'blocked' }],
  ['403', json(403, {}), 'auth', { submit: 'blocked', idempotent: 'blocked', read: 'blocked' }],
  [
    '429',
    json(429, {}),
    'throttled',
    { submit: 'waiting', idempotent: 'waiting', read: 'waiting' },
  ],
  [
    '500',
    json(500, {}),
    'server_error',
    { submit: 'unknown', idempotent: 'waiting', read: 'waiting' },
  ],
  [
    '503',
    json(503, {}),
    'server_error',
    { submit: 'unknown', idempotent: 'waiting', read: 'waiting' },
  ],
  ['silence', silence, 'timeout', { submit: 'unknown', idempotent: 'waiting', read: 'waiting' }],
  ['a reset', cutHead, 'cut', { submit: 'unknown', idempotent: 'waiting', read: 'waiting' }],
  ['no HTTP', notHttp, 'cut', { submit: 'unknown', idempotent: 'waiting', read: 'waiting' }],
]

it.each(
  rows.flatMap(([name, answer, outcome, states]) =>
    (['submit', 'idempotent', 'read'] as const).map(
      (effect) => [name, effect, outcome, states[effect], answer] as const,
    ),
  ),
)('%s on a %s: %s, %s', async (_name, effect, outcome, state, answer) => {
  app.answer(answer)
  const answered = await send(endpoints[effect])
  expect(runOf(answered).steps[0]).toMatchObject({ outcome, state })
  expect(answered.status).toBe(state === 'succeeded' ? 200 : state === 'unknown' ? 504 : 502)
  // Sent once, whatever came of it.
  expect(app.upstream.received).toHaveLength(1)
  if (state !== 'succeeded') expect(runOf(answered).steps[0]?.message).not.toBeNull()
})

it.each(['refused', 'nameless', 'far'])(
  '%s: no byte has left, so it is not started',
  async (name) => {
    const answered = await send(endpoints[name])
    expect(answered.status).toBe(502)
    expect(runOf(answered)).toMatchObject({
      state: 'not_started',
      steps: [{ state: 'waiting', outcome: 'not_sent' }],
    })
  },
)

it('a step that was not started after others had succeeded leaves the run stopped', async () => {
  app.answer(json(200, { id: 1 }))
  const answered = await app.tax([
    { end_point: endpoints.submit ?? 0, body: `{"n":${++content}}` },
    { end_point: endpoints.refused ?? 0, body: '{}' },
  ])
  expect(runOf(answered)).toMatchObject({ state: 'stopped' })
})
