import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { buildApi, buildSnapshot } from '../testing/build-snapshot.ts'
import { RawClient } from '../testing/raw-client.ts'
import { startGateway } from '../testing/test-gateway.ts'

const request = 'GET /sales/orders HTTP/1.1\r\nHost: a\r\n\r\n'

async function start(options = {}) {
  const waiting: (() => void)[] = []
  const arrived: (() => void)[] = []
  const upstream = await startRecordingUpstream((socket) => {
    waiting.push(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'))
    arrived.shift()?.()
  })
  const gateway = await startGateway(
    buildSnapshot({ apis: [buildApi({ base_url: upstream.url })] }),
    options,
  )
  const nextArrival = () => new Promise<void>((resolve) => arrived.push(resolve))
  return { gateway, waiting, nextArrival }
}

it('finishes what is in flight, and answers what still comes over open connections', async () => {
  const { gateway, waiting, nextArrival } = await start()
  const [busy, idle] = [new RawClient(gateway.port), new RawClient(gateway.port)]
  const healthy = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
  idle.send(healthy)
  expect((await idle.answer())?.status).toBe(200)
  const arrival = nextArrival()
  busy.send(request)
  await arrival

  const stopped = gateway.stop()
  const refused = connect(gateway.port, '127.0.0.1')
  expect(await once(refused, 'error')).toMatchObject([{ code: 'ECONNREFUSED' }])

  const late = nextArrival()
  idle.send(request)
  await late
  for (const answerIt of waiting) answerIt()
  for (const client of [busy, idle]) {
    const answer = await client.answer()
    expect([answer?.status, answer?.headers.get('connection')]).toEqual([200, 'close'])
    expect(await client.rest()).toBe('')
  }
  expect(await stopped).toEqual({ cut: 0 })
})

it('reports at /healthz that it is stopping', async () => {
  const { gateway } = await start()
  const client = new RawClient(gateway.port)
  client.send('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
  await client.answer()
  const stopped = gateway.stop()
  client.send('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
  const answer = await client.answer()
  expect([answer?.status, JSON.parse(answer?.body ?? '')]).toMatchObject([
    503,
    { status: 'stopping' },
  ])
  await stopped
})

it('gives up what takes longer than it may, and reports how much', async () => {
  const { gateway, nextArrival } = await start({ drainMs: 10 })
  const client = new RawClient(gateway.port)
  const arrival = nextArrival()
  client.send(request)
  await arrival
  expect(await gateway.stop()).toEqual({ cut: 1 })
  expect(await client.answer()).toBeUndefined()
})

it('closes a connection that stays idle once its keep-alive time has passed', async () => {
  const { gateway } = await start({ keepAliveMs: 10 })
  const client = new RawClient(gateway.port)
  client.send('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
  expect((await client.answer())?.headers.get('connection')).toBe('keep-alive')
  expect(await client.rest()).toBe('')
})
