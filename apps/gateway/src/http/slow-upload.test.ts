import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildApi, buildEndpoint, buildSnapshot } from '../testing/build-snapshot.ts'
import { RawClient } from '../testing/raw-client.ts'
import { startGateway } from '../testing/test-gateway.ts'
import { ArrivingBody } from './arriving-body.ts'
import type { UploadBounds } from '../messages/worker-settings.ts'

const quick: UploadBounds = { graceMs: 50, minBytesPerSecond: 1_000, maxMs: 60_000 }

async function start(upload: UploadBounds) {
  const upstream = await startRecordingUpstream()
  const gateway = await startGateway(
    buildSnapshot({
      apis: [buildApi({ base_url: upstream.url })],
      endpoints: [buildEndpoint({ method: 'POST' })],
    }),
    { upload },
  )
  return { upstream, gateway, client: new RawClient(gateway.port) }
}

/** Begins a body that never ends: a byte now and then. */
function trickle(client: RawClient, path: string, length: string): void {
  client.send(`POST ${path} HTTP/1.1\r\nHost: a\r\n${length}\r\n\r\n`)
  const byte = length.startsWith('Transfer') ? '1\r\nx\r\n' : 'x'
  const timer = setInterval(() => client.send(byte), 20)
  onTestFinished(() => clearInterval(timer))
}

describe('a body that trickles in', () => {
  it.each([
    ['streamed', 'Content-Length: 1000000'],
    ['in chunks', 'Transfer-Encoding: chunked'],
    ['collected', 'Content-Length: 10000'],
  ])('is a 408, and the connection ends: %s', async (_name, length) => {
    const { client, gateway, upstream } = await start(quick)
    trickle(client, '/sales/orders', length)
    const answer = await client.answer()
    expect([answer?.status, JSON.parse(answer?.body ?? '')]).toMatchObject([
      408,
      { code: 'client.timeout' },
    ])
    expect(answer?.headers.get('connection')).toBe('close')
    expect(await client.rest()).toBe('')
    expect(upstream.requests).toEqual([])
    await expect.poll(() => upstream.sockets.every((each) => each.closed)).toBe(true)
    expect(gateway.report()).toMatchObject({ in_flight: 0, codes: { 'client.timeout': 1 } })
  })

  it('does not hold the connection after a refusal either', async () => {
    const { client } = await start(quick)
    trickle(client, '/nowhere', 'Content-Length: 10000')
    expect((await client.answer())?.status).toBe(404)
    expect(await client.rest()).toBe('')
  })

  it('is a 408 once it takes longer than any may, however fast it comes', async () => {
    const { client } = await start({ graceMs: 60_000, minBytesPerSecond: 1, maxMs: 50 })
    trickle(client, '/sales/orders', 'Content-Length: 1000000')
    expect((await client.answer())?.status).toBe(408)
  })
})

describe('what a body may take', () => {
  const bounds: UploadBounds = { graceMs: 10_000, minBytesPerSecond: 100, maxMs: 100_000 }
  const bodyWith = (isBodyAwaited: boolean) => new ArrivingBody({ isBodyAwaited }, 0, 5_000)

  it('nothing is asked for before its first time is over', () => {
    const body = bodyWith(true)
    expect(body.isTooSlow(10_000, 5_000, bounds)).toBe(false)
    expect(body.isTooSlow(10_001, 5_000, bounds)).toBe(true)
  })

  it('each second of it is paid for in bytes', () => {
    const body = bodyWith(true)
    expect(body.isTooSlow(20_000, 6_000, bounds)).toBe(false)
    expect(body.isTooSlow(21_000, 6_000, bounds)).toBe(true)
  })

  it('time in which we don’t read is not the client’s, but the whole has an end', () => {
    const body = bodyWith(false)
    expect(body.isTooSlow(100_000, 5_000, bounds)).toBe(false)
    expect(body.isTooSlow(100_001, 5_000_000, bounds)).toBe(true)
  })
})
