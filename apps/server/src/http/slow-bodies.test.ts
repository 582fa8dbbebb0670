import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { allowUpload, ArrivingBody, uploadBounds, usualBounds } from '../kernel/http/body-bounds.ts'
import { boundBodies } from './slow-bodies.ts'

const bounds = { graceMs: 60_000, minBytesPerSecond: 100_000, maxMs: 1_800_000 }
const at = (seconds: number, bytesRead: number, isRead = true) => ({
  nowMs: seconds * 1_000,
  bytesRead,
  isRead,
})

describe('the body of a request', () => {
  it('has a minute, however fast it comes', () => {
    const body = new ArrivingBody(0)
    expect(body.isTooSlow(at(60, 1), usualBounds)).toBe(false)
    expect(body.isTooSlow(at(60.1, 900_000), usualBounds)).toBe(true)
  })

  it('has a second more for each 100 kB, if it is an upload', () => {
    expect(uploadBounds).toEqual(bounds)
    const body = new ArrivingBody(0)
    expect(body.isTooSlow(at(60, 0), bounds)).toBe(false)
    expect(body.isTooSlow(at(160, 10_000_000), bounds)).toBe(false)
    expect(body.isTooSlow(at(161, 10_000_000), bounds)).toBe(true)
  })

  it('is not too slow while nobody reads it, but has to be complete in half an hour', () => {
    const body = new ArrivingBody(0)
    expect(body.isTooSlow(at(1_800, 0, false), bounds)).toBe(false)
    expect(body.isTooSlow(at(1_801, 1e9, false), bounds)).toBe(true)
  })
})

const quick = { graceMs: 50, minBytesPerSecond: 10_000_000, maxMs: 60_000 }
const endless = { graceMs: 60_000, minBytesPerSecond: Infinity, maxMs: 60_000 }

/** A server that reads bodies, and the answer to a request whose body comes a byte at a time. */
async function drip(
  path: string,
  bodyBounds: Parameters<typeof boundBodies>[1],
  onAnswer = () => {},
) {
  const read = async (message: IncomingMessage) => {
    if (message.url === '/upload') allowUpload(message)
    for await (const _ of message) continue
  }
  const server = createServer((message, response) => {
    if (message.url === '/refused') return response.writeHead(403).end()
    return void read(message).then(
      () => response.end('read'),
      () => undefined,
    )
  })
  boundBodies(server, { lookEveryMs: 10, ...bodyBounds })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let answer = ''
  socket
    .on('error', () => {})
    .on('data', (bytes: Buffer) => {
      answer += bytes.toString('latin1')
      onAnswer()
    })
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n`)
  const timer = setInterval(() => socket.writable && socket.write('x'), 20)
  onTestFinished(() => clearInterval(timer))
  // It may be reset: what it had sent was not read.
  await new Promise((resolve) => socket.once('close', resolve))
  return answer
}

describe('a body that trickles in', () => {
  it('is a 408, and the connection ends', async () => {
    const answer = await drip('/', { usual: quick, upload: endless })
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(answer).toContain('"code":"request.malformed"')
  })

  it('is a 408 for an upload too', async () => {
    const answer = await drip('/upload', { usual: endless, upload: quick })
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('does not hold the connection after a refusal', async () => {
    // The end of the connection would take the answer away from a client that has not read it.
    const usual = { ...quick, graceMs: 60_000 }
    const hurry = () => void (usual.graceMs = quick.graceMs)
    const answer = await drip('/refused', { usual, upload: endless }, hurry)
    expect(answer).toMatch(/^HTTP\/1\.1 403 /)
  })
})
