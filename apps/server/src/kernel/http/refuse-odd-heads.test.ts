import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'

let server: TestServer
let port: number
beforeAll(async () => {
  server = await buildServer()
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  port = (server.app.server.address() as AddressInfo).port
})
afterAll(() => server.close())

async function answerTo(head: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  let answer = ''
  socket.on('data', (bytes: Buffer) => (answer += bytes.toString('latin1')))
  socket.write(`${head}Connection: close\r\n\r\n`)
  await once(socket, 'close')
  return answer
}

const get = (fields: string, target = '/healthz', version = '1.1') =>
  `GET ${target} HTTP/${version}\r\n${fields}`

it.each<readonly [name: string, head: string]>([
  ['two Hosts', get('Host: a\r\nHost: b\r\n')],
  ['two equal Hosts', get('Host: a\r\nhost: a\r\n')],
  ['no Host', get('')],
  ['an empty Host', get('Host:\r\n')],
  ['an empty Host over HTTP/1.0', get('Host:\r\n', '/healthz', '1.0')],
  ...['a/b', '/', '@', 'a@b', 'user:secret@a', 'a b', 'a,b', 'a?b', 'a#b', 'a\\b', 'a:b', 'a:1:2']
    .concat(['[::1', 'a"b', '<a>', 'http://a', 'a\tb', 'ä'])
    .map((host) => [`Host: ${host}`, get(`Host: ${host}\r\n`)] as const),
  ['a target at another host', get('Host: a\r\n', 'http://b/healthz')],
  ['a target with a user', get('Host: a\r\n', 'http://a@a/healthz')],
  ['a target with a port that Host lacks', get('Host: a\r\n', 'http://a:80/healthz')],
  ['a target with a host, and no Host', get('', 'http://a/healthz', '1.0')],
])('refuses %s, in the shape of every refusal', async (_, head) => {
  const answer = await answerTo(head)
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer).toContain('"code":"request.malformed"')
})

it.each<readonly [name: string, head: string]>([
  ...['a', 'A.example:8080', '127.0.0.1:3000', '[::1]:3000', 'a_b'].map(
    (host) => [`Host: ${host}`, get(`Host: ${host}\r\n`)] as const,
  ),
  ['a target that names the same host', get('Host: a.example\r\n', 'http://A.example/healthz')],
  ['no Host over HTTP/1.0', get('', '/healthz', '1.0')],
])('takes %s', async (_, head) => {
  expect(await answerTo(head)).toMatch(/^HTTP\/1\.[01] 200 /)
})
