import { get } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { SnapshotApi } from '@gatehouse/contract/gateway'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildApi, buildEndpoint, buildSnapshot } from '../testing/build-snapshot.ts'
import { countBytes, echoSizes, startHttpUpstream, upload } from '../testing/byte-streams.ts'
import { RawClient } from '../testing/raw-client.ts'
import { streamBytes } from '../testing/stream-bytes.ts'
import { startGateway } from '../testing/test-gateway.ts'

const mebibyte = 1024 * 1024

async function start(handle: RequestListener, api: Partial<SnapshotApi> = {}) {
  const upstream = await startHttpUpstream(handle)
  onTestFinished(() => upstream.close())
  const gateway = await startGateway(
    buildSnapshot({
      apis: [buildApi({ base_url: upstream.url, ...api })],
      endpoints: [buildEndpoint(), buildEndpoint({ id: 2, method: 'POST' })],
    }),
  )
  return { gateway, url: `${gateway.url}/sales/orders` }
}

const textOf = async (answer: IncomingMessage) => Buffer.concat(await answer.toArray()).toString()

const download = async (url: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => get(url, resolve).on('error', reject))

describe('server-sent events', () => {
  const answer_timeout_ms = 200
  const events = { 'content-type': 'Text/Event-Stream; charset=utf-8' }

  /** An upstream that says when its client has left, and writes what a test tells it to. */
  async function subscribe(headers: Record<string, string>) {
    const left = Promise.withResolvers<void>()
    const opened = Promise.withResolvers<(text: string) => void>()
    const { url } = await start(
      (_req, res) => {
        res.on('close', left.resolve).writeHead(200, headers).flushHeaders()
        opened.resolve((text) => void res.write(text))
      },
      { answer_timeout_ms },
    )
    const answer = await download(url)
    let received = ''
    const cut = new Promise<void>((resolve) => answer.once('error', () => resolve()))
    answer.setEncoding('utf8').on('data', (text: string) => (received += text))
    return { answer, send: await opened.promise, received: () => received, left: left.promise, cut }
  }

  it('pass unbuffered: the head before the first event, and each event as it is sent', async () => {
    const { answer, send, received } = await subscribe(events)
    expect(answer.headers['content-type']).toBe(events['content-type'])
    expect(received()).toBe('')
    send('data: first\n\n')
    await expect.poll(received).toBe('data: first\n\n')
    send('data: second\n\n')
    await expect.poll(received).toBe('data: first\n\ndata: second\n\n')
  })

  it('may be further apart than the answer time-out, which cuts any other answer', async () => {
    const stream = await subscribe(events)
    const other = await subscribe({ 'content-type': 'text/plain' })
    await other.cut
    // Both have been silent for as long: the sweep that ended the other has seen this one too.
    stream.send('data: late\n\n')
    await expect.poll(stream.received).toBe('data: late\n\n')
  })

  it('end at the upstream when the client leaves', async () => {
    const { answer, left } = await subscribe(events)
    answer.destroy()
    await expect(left).resolves.toBeUndefined()
  })
})

it.each([
  ['with a length', { 'content-length': 64 * mebibyte }],
  ['in chunks', {}],
])('64 MiB go up whole, %s', async (_name, headers) => {
  const { url, gateway } = await start(echoSizes)
  const answer = await upload(url, 64 * mebibyte, headers)
  expect(await textOf(answer)).toBe(String(64 * mebibyte))
  expect(gateway.report().traffic[0]?.bytes_in).toBe(64 * mebibyte)
})

it('64 MiB come down whole', async () => {
  const { url, gateway } = await start(echoSizes)
  const answer = await download(`${url}?n=${64 * mebibyte}`)
  expect(await countBytes(answer)).toBe(64 * mebibyte)
  expect(gateway.report().traffic[0]?.bytes_out).toBe(64 * mebibyte)
})

it('a client that does not read holds the upstream back', async () => {
  let sent = 0
  const stalled = Promise.withResolvers<number>()
  const { url } = await start((_req, res) => {
    const chunk = Buffer.alloc(256 * 1024)
    const push = (): void => {
      while (res.write(chunk)) sent += chunk.length
      sent += chunk.length
      // Everything between the two is full. Where nothing held back, this would never come to rest.
      const soFar = sent
      const timer = setTimeout(() => stalled.resolve(soFar), 500)
      res.once('drain', () => {
        clearTimeout(timer)
        push()
      })
    }
    push()
  })
  const answer = await download(url)
  answer.pause()
  // What the kernel's buffers of three connections hold, and no more: 64 MiB would be no back-pressure.
  expect(await stalled.promise).toBeLessThan(32 * mebibyte)
  answer.destroy()
})

it('a client that leaves aborts the call of the upstream', async () => {
  const aborted = Promise.withResolvers<void>()
  const { url, gateway } = await start((_req, res) => {
    res.on('close', aborted.resolve)
    res.writeHead(200)
    res.write('first')
  })
  const answer = await download(url)
  answer.destroy()
  await aborted.promise
  const { traffic, codes, in_flight } = gateway.report()
  expect(traffic.map(({ status }) => status)).toEqual([499])
  expect([codes, in_flight]).toEqual([{ 'client.left': 1 }, 0])
})

it('a client that leaves in the middle of its body aborts the call of the upstream', async () => {
  const begun = Promise.withResolvers<void>()
  const aborted = Promise.withResolvers<void>()
  const { gateway } = await start((req) => {
    req.once('data', () => begun.resolve())
    req.on('error', () => aborted.resolve())
  })
  const client = new RawClient(gateway.port)
  client.send('POST /sales/orders HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nbegun')
  await begun.promise
  client.socket.destroy()
  await aborted.promise
  expect(gateway.report().codes).toEqual({ 'client.left': 1 })
})

it('an answer that comes before the upload ended reaches the client, and ends the connection', async () => {
  const { url } = await start((req, res) => {
    req.once('data', () => {
      req.pause()
      res.writeHead(413, { 'content-length': 8 }).write('too much')
    })
  })
  const answer = await upload(url, 64 * mebibyte)
  expect([answer.statusCode, answer.headers.connection]).toEqual([413, 'close'])
  expect(await textOf(answer)).toBe('too much')
})

it('an upstream that answers early and closes gives a refusal or its whole answer, never a part', async () => {
  const { url } = await start((_req, res) => {
    res.writeHead(413, { connection: 'close' }).end('too much')
  })
  const answer = await upload(url, 2 * mebibyte)
  const text = await textOf(answer)
  if (answer.statusCode === 413) expect(text).toBe('too much')
  else expect(JSON.parse(text)).toMatchObject({ code: 'upstream.cut' })
})

it('256 MiB up and 256 MiB down pass through without being held', async () => {
  const { uploadedBytes, downloadedBytes, grownBytes } = await streamBytes(256 * mebibyte)
  expect([uploadedBytes, downloadedBytes]).toEqual([256 * mebibyte, 256 * mebibyte])
  // Client, upstream and gateway are one process here.
  expect(grownBytes).toBeLessThan(192 * mebibyte)
})
