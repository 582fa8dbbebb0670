import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { expect, it } from 'vitest'
import { buildApi, buildEndpoint, buildSnapshot } from '../testing/build-snapshot.ts'
import { RawClient } from '../testing/raw-client.ts'
import { startGateway } from '../testing/test-gateway.ts'

async function start(isTokenRequired: boolean) {
  const upstream = await startRecordingUpstream()
  const gateway = await startGateway(
    buildSnapshot({
      apis: [buildApi({ base_url: upstream.url, requires_token: isTokenRequired })],
      endpoints: [buildEndpoint({ method: 'POST' })],
    }),
  )
  return { upstream, client: new RawClient(gateway.port) }
}

const head = (length: number) =>
  `POST /sales/orders HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`

it.each([3, 100_000])('a body of %d bytes is asked for once it is wanted', async (length) => {
  const { upstream, client } = await start(false)
  client.send(head(length))
  await new Promise((resolve) => client.socket.once('data', resolve))
  client.send('x'.repeat(length))
  expect((await client.answer())?.status).toBe(200)
  expect(upstream.requests[0]?.body).toHaveLength(length)
  expect(upstream.requests[0]?.headers.map(([name]) => name)).not.toContain('expect')
})

it('a body that is not wanted is never asked for', async () => {
  const { upstream, client } = await start(true)
  client.send(head(3))
  const answer = await client.answer()
  expect([answer?.status, answer?.headers.get('connection')]).toEqual([401, 'close'])
  expect(await client.rest()).toBe('')
  expect(upstream.sockets).toHaveLength(0)
})

it('a refused request whose body is sent all the same gets its answer, whole', async () => {
  const { client } = await start(true)
  client.send(`POST /sales/orders HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n`)
  client.send('x'.repeat(150_000))
  const answer = await client.answer()
  expect(answer?.status).toBe(401)
  client.send('x'.repeat(150_000))
  expect(await client.rest()).toBe('')
})

it('a client of HTTP/1.0 gets no interim answer, which it would take for the answer', async () => {
  const { upstream, client } = await start(false)
  client.send(head(3).replace('HTTP/1.1', 'HTTP/1.0'))
  client.send('abc')
  expect((await client.answer())?.status).toBe(200)
  expect(await client.rest()).toBe('')
  expect(upstream.requests[0]?.body).toHaveLength(3)
})
