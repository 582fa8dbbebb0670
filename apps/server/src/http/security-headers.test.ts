import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../test/servers/build-server.ts'
import { securityHeaders } from './security-headers.ts'

let server: TestServer
let port = 0
beforeAll(async () => {
  server = await buildServer()
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  port = (server.app.server.address() as AddressInfo).port
})
afterAll(() => server.close())

async function headersOf(request: string): Promise<{ status: number; headers: Headers }> {
  const socket = connect(port, '127.0.0.1')
  // Not ended: Node drops the answer that is still computed once the client has ended its side.
  socket.write(request)
  const [head = ''] = (await text(socket)).split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const pairs = fields.map((field): [string, string] => {
    const colon = field.indexOf(':')
    return [field.slice(0, colon), field.slice(colon + 1).trim()]
  })
  return { status: Number(line.split(' ')[1]), headers: new Headers(pairs) }
}

const get = (path: string, field = '') =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${field}\r\n`

it.each([
  ['a call', get('/healthz'), 200],
  ['a page that is not there', get('/nothing'), 404],
  ['a path that can’t be decoded', get('/%'), 400],
  ['a call with such a path', get('/api/%zz'), 400],
  ['what is no HTTP', 'this is no HTTP\r\n\r\n', 400],
  ['a head that is too long', get('/', `X-Long: ${'x'.repeat(100_000)}\r\n`), 431],
])('the answer to %s carries all security headers', async (_name, request, status) => {
  const answer = await headersOf(request)
  expect(answer.status).toBe(status)
  for (const [name, value] of Object.entries(securityHeaders)) {
    expect(answer.headers.get(name), name).toBe(value)
  }
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
})

it('these are all that are set', async () => {
  const { headers } = await headersOf(get('/healthz'))
  const others =
    /^(?:connection|content-(?:type|length)|date|keep-alive|vary|x-request-id|cache-control)$/
  const names = [...headers.keys()].filter((name) => !others.test(name))
  expect(names.toSorted()).toEqual(Object.keys(securityHeaders).toSorted())
})
