import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { expect, it } from 'vitest'
import { buildApi, buildEndpoint, buildSnapshot } from '../testing/build-snapshot.ts'
import { RawClient } from '../testing/raw-client.ts'
import { startGateway } from '../testing/test-gateway.ts'

async function start() {
  const waiting: (() => void)[] = []
  const arrived: (() => void)[] = []
  const upstream = await startRecordingUpstream((socket, { requestLine }) => {
    const body = requestLine.split(' ')[1] ?? ''
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`
    waiting.push(() => socket.write(head + body))
    arrived.shift()?.()
  })
  const gateway = await startGateway(
    buildSnapshot({
      apis: [buildApi({ base_url: upstream.url })],
      endpoints: [
        buildEndpoint({ method: 'POST' }),
        buildEndpoint({ id: 2, path: '/{id}' }),
        buildEndpoint({ id: 3, method: 'POST', path: '/fixed', custom_output: 'fixed' }),
      ],
    }),
  )
  const nextArrival = () => new Promise<void>((resolve) => arrived.push(resolve))
  return { gateway, upstream, waiting, nextArrival, client: new RawClient(gateway.port) }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`

it('requests of one connection go upstream one after the other, in their order', async () => {
  const { client, upstream, waiting, nextArrival } = await start()
  const first = nextArrival()
  client.send(post('/sales/orders', 'abc') + get('/sales/1') + get('/sales/2'))
  await first
  expect(upstream.requests).toHaveLength(1)
  for (const expected of ['/orders', '/1', '/2']) {
    const next = nextArrival()
    waiting.shift()?.()
    expect((await client.answer())?.body).toBe(expected)
    if (expected !== '/2') await next
  }
})

it('a small body that no stage reads is skipped, and the connection goes on', async () => {
  const { client, waiting, nextArrival } = await start()
  client.send(post('/sales/fixed', 'GET /sales/9 HTTP/1.1\r\nHost: a\r\n\r\n'))
  const answer = await client.answer()
  expect([answer?.body, answer?.headers.get('connection')]).toEqual(['fixed', 'keep-alive'])
  const next = nextArrival()
  client.send(get('/sales/1'))
  await next
  waiting.shift()?.()
  expect((await client.answer())?.body).toBe('/1')
})

it('garbage behind a whole request leaves its answer whole and ends the connection', async () => {
  const { client, waiting, nextArrival, gateway } = await start()
  const first = nextArrival()
  client.send(`${get('/sales/1')}garbage\r\n\r\n${get('/sales/2')}`)
  await first
  waiting.shift()?.()
  const answer = await client.answer()
  expect([answer?.body, answer?.headers.get('connection')]).toEqual(['/1', 'close'])
  expect(await client.rest()).toBe('')
  expect(gateway.report().in_flight).toBe(0)
})

it('more requests at once than may wait end the connection', async () => {
  const { client, upstream, gateway } = await start()
  client.send(get('/sales/1').repeat(100))
  expect(await client.rest()).toBe('')
  expect(upstream.requests.length).toBeLessThanOrEqual(1)
  expect(gateway.report().in_flight).toBe(0)
})
