import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer, httpApi, type TestServer } from '../../../test/servers/build-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildServer({ TRUSTED_PROXIES: '10.0.0.0/8' })
})
afterAll(() => server.close())

const post = (payload: string | Buffer, headers: Record<string, string>) =>
  server.send('POST', '/api/apis', { token: server.admin.token, payload, headers })

describe('every answer', () => {
  it.each(['/healthz', '/api/auth', '/nothing/here', '/api/docs'])(
    'carries the security headers: %s',
    async (path) => {
      const { headers } = await server.send('GET', path)
      expect(String(headers['content-security-policy'])).toBe(
        "default-src 'none';script-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' blob: data:;connect-src 'self';font-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'",
      )
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=()'),
        'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
      })
      expect(headers['x-powered-by']).toBeUndefined()
      expect(headers['access-control-allow-origin']).toBeUndefined()
    },
  )

  it('has a request id that the server made, in the answer, the header and the log', async () => {
    const answer = await server.send('GET', '/api/auth', { headers: { 'x-request-id': 'forged' } })
    const { request_id } = answer.body as { request_id: string }
    expect(request_id).toBe(answer.headers['x-request-id'])
    expect(request_id).not.toBe('forged')
    expect(server.logLines.some((line) => line.includes(request_id))).toBe(true)
  })
})

describe('a body', () => {
  it.each([
    ['text/plain', '{"name":"x"}'],
    ['application/x-www-form-urlencoded', 'name=x'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/xml', '<a/>'],
  ])('of type %s is refused', async (type, payload) => {
    const answer = await post(payload, { 'content-type': type })
    expect(answer.status).toBe(415)
    expect(answer.body).toMatchObject({ code: 'request.not_json' })
  })

  it.each(['gzip', 'br', 'deflate', 'identity, gzip', 'no-such-coding'])(
    'that is compressed (%s) is refused unread',
    async (coding) => {
      const bomb = gzipSync(Buffer.alloc(1024 * 1024, ' '))
      const answer = await post(bomb, {
        'content-type': 'application/json',
        'content-encoding': coding,
      })
      expect(answer.status).toBe(415)
      expect(answer.body).toMatchObject({ code: 'request.encoding' })
    },
  )

  it('that says it is not compressed is read', async () => {
    const answer = await post('{', {
      'content-type': 'application/json',
      'content-encoding': 'Identity',
    })
    expect(answer.body).toMatchObject({ code: 'request.malformed' })
  })

  it.each([
    ['broken', '{"name":', 400, 'request.malformed'],
    ['with __proto__', '{"__proto__":{"isAdmin":true}}', 400, 'request.malformed'],
    [
      'with constructor.prototype',
      '{"constructor":{"prototype":{"x":1}}}',
      400,
      'request.malformed',
    ],
    ['33 levels deep', `${'['.repeat(33)}${']'.repeat(33)}`, 400, 'request.too_deep'],
    ['with 60,001 values', `[${'1,'.repeat(60_000)}1]`, 413, 'request.too_large'],
    ['over 1 MiB', `{"name":"${'x'.repeat(1024 * 1024)}"}`, 413, 'request.too_large'],
  ])('%s is refused', async (_name, payload, status, code) => {
    const answer = await post(payload, { 'content-type': 'application/json' })
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({
      code,
      message: expect.any(String),
      request_id: expect.any(String),
    })
  })
})

describe('a JSON body of 5 MiB, which another thread parses', () => {
  const text = `# ${'\u65e5'.repeat(1_700_000)}\n`
  const diff = async (payload: string | Buffer) => {
    const headers = { 'content-type': 'application/json' }
    const { token } = server.admin
    return server.send('POST', '/api/configuration/diff', { token, payload, headers })
  }

  it('arrives whole', async () => {
    const { status, body } = await diff(JSON.stringify({ document: `${text}version: [` }))
    expect(status).toBe(422)
    expect(JSON.stringify(body)).toContain('Line 2')
  })

  it.each([
    ['broken', Buffer.from(`{"document":"${text}`)],
    ['with __proto__', Buffer.from(`{"__proto__":{},"document":${JSON.stringify(text)}}`)],
    ['that is not UTF-8', Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(5_000_000, 0xff)])],
  ])('%s is refused', async (_, payload) => {
    const { status, body } = await diff(payload)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'request.malformed' })
  })
})

describe('a request from a page of another site', () => {
  const withOrigin = (origin: string) =>
    server.send('POST', '/api/logout', { headers: { origin, host: 'gatehouse.example.com' } })

  it.each([
    'https://evil.example.com',
    'null',
    'http://gatehouse.example.com.evil.com',
    'http://gatehouse.example.com:81',
  ])('%s is refused', async (origin) => {
    expect((await withOrigin(origin)).body).toMatchObject({ code: 'request.wrong_origin' })
  })

  it('is let through from our own', async () => {
    expect((await withOrigin('https://gatehouse.example.com')).status).toBe(401)
  })
})

it('believes X-Forwarded-For from trusted proxies only', async () => {
  const addressSeen = async (remoteAddress: string) => {
    server.logLines.length = 0
    await server.send('GET', '/healthz', {
      remoteAddress,
      headers: { 'x-forwarded-for': '203.0.113.7' },
    })
    return (
      JSON.parse(server.logLines.find((line) => line.includes('/healthz')) ?? '{}') as {
        address: string
      }
    ).address
  }
  expect(await addressSeen('10.1.2.3')).toBe('203.0.113.7')
  expect(await addressSeen('192.0.2.9')).toBe('192.0.2.9')
})

it('counts failed logins by address, whatever port the proxy adds to it', async () => {
  const login = (attempt: number) =>
    server.send('POST', '/api/login', {
      remoteAddress: '10.1.2.3',
      headers: { 'x-forwarded-for': `203.0.113.8:${40_000 + attempt}` },
      body: { email: `guess-${attempt}@example.com`, password: 'wrong' },
    })
  expect((await login(0)).status).toBe(401)
  // Each costs a hash: the other 98 are written down.
  await server.db.updateTable('login_failure').set({ failures: 99 }).execute()
  expect((await login(1)).status).toBe(401)
  expect((await login(2)).status).toBe(429)
})

it('hides what broke behind a request id, and logs it', async () => {
  await server.db.schema.alterTable('lane').renameTo('lane_gone').execute()
  const answer = await server.send('GET', '/api/lanes', { token: server.admin.token })
  await server.db.schema.alterTable('lane_gone').renameTo('lane').execute()
  expect(answer.status).toBe(500)
  expect(answer.body).toEqual({
    message: 'Something went wrong on our side.',
    code: 'server.failed',
    request_id: expect.any(String),
    help: '/dashboard?help=errors/server.failed',
  })
  const { request_id } = answer.body as { request_id: string }
  expect(server.logLines.some((line) => line.includes(request_id) && line.includes('lane'))).toBe(
    true,
  )
})

it.each([
  ['an upstream that refuses connections', 'ECONNREFUSED'],
  ['a file that is missing', 'ENOENT'],
])('does not say that the database is away because of %s', async (_name, code) => {
  server.hooks.beforeHandler = () => Promise.reject(Object.assign(new Error('failed'), { code }))
  try {
    const answer = await server.send('GET', '/api/lanes', { token: server.admin.token })
    expect(answer.body).toMatchObject({ code: 'server.failed' })
  } finally {
    server.hooks.beforeHandler = undefined
  }
})

it('answers 404 in JSON where no call and no screen is', async () => {
  for (const path of ['/api/nothing', '/admin/nothing', '/api/apis/1/2/3']) {
    const answer = await server.send('GET', path)
    expect(answer.status, path).toBe(404)
    expect(answer.body).toMatchObject({ code: 'route.not_found' })
  }
  expect((await server.send('DELETE', '/api/apis')).status).toBe(404)
})

it('answers paths that can’t be decoded, and what is no HTTP, like every other refusal', async () => {
  const undecodable = await server.send('GET', '/api/%zz')
  expect(undecodable.status).toBe(400)
  expect(undecodable.body).toMatchObject({
    code: 'request.malformed',
    request_id: expect.any(String),
  })
  expect(undecodable.headers['x-content-type-options']).toBe('nosniff')

  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as AddressInfo
  const answerTo = async (request: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.end(request)
    return text(socket)
  }
  expect(await answerTo('this is no HTTP\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 400 [^]*"code":"request\.malformed"/,
  )
  const both =
    'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
  expect(await answerTo(both)).toMatch(/^HTTP\/1\.1 400 /)
  // The answer is out long before the last of the larger one has come.
  for (const bytes of [100_000, 5_000_000]) {
    const huge = `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(bytes)}\r\n\r\n`
    expect(await answerTo(huge)).toMatch(/^HTTP\/1\.1 431 /)
  }
})

it('keeps what it refuses out of the database', async () => {
  const answer = await server.send('POST', '/api/apis', { body: httpApi() })
  expect(answer.status).toBe(401)
  expect(await server.db.selectFrom('api').selectAll().execute()).toEqual([])
})
