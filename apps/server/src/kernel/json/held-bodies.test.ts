import { once } from 'node:events'
import { request, type ClientRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
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

const largest = 12 * 1024 * 1024

/** Sends the head of a request that announces a body, and one byte of it. */
function begin(token: string, bytes: number): ClientRequest {
  const sent = request({
    port,
    host: '127.0.0.1',
    agent: false,
    method: 'POST',
    path: '/api/prepare-data',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': bytes,
    },
  })
  sent.on('error', () => {})
  sent.write('{')
  return sent
}

async function statusOf(sent: ClientRequest): Promise<number | undefined> {
  const [answer] = await once(sent, 'response')
  answer.resume()
  return answer.statusCode
}

it('a user has bodies of 48 MiB under way; further ones wait before they are read, and 64 may wait', async () => {
  const one = await server.buildUser({ role: 'Super Admin' })
  const other = await server.buildUser({ role: 'Super Admin' })
  const all = Array.from({ length: 4 + 64 + 1 }, () => begin(one.token, largest))
  const answered = new Set<ClientRequest>()
  const first = await Promise.race(
    all.map(async (sent) => {
      const status = await statusOf(sent)
      answered.add(sent)
      return status
    }),
  )
  expect(first).toBe(429)
  // A small body is not counted, and others have bounds of their own.
  const small = await server.send('POST', '/api/prepare-data', { token: one.token, body: {} })
  expect(small.status).toBe(422)
  const others = begin(other.token, 100_000)
  others.end(`${' '.repeat(99_998)}}`)
  expect(await statusOf(others)).toBe(422)
  expect(answered.size).toBe(1)
  // One that waited is read once the others are gone.
  const last = all.findLast((sent) => !answered.has(sent))!
  for (const sent of all) if (sent !== last) sent.destroy()
  const status = statusOf(last)
  last.end(`${' '.repeat(largest - 2)}}`)
  expect(await status).toBe(422)
})
