import type { Socket } from 'node:net'
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { maxAnswerBytesDefault } from '../http.ts'
import { plainAnswer, startRawUpstream } from '../testing/raw-upstream.ts'
import { createTestUpstream, expectAnswered, expectFailed } from '../testing/test-upstream.ts'

const mebibyte = 1024 * 1024
const chunkedHead = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'

/** Writes the same piece for ever, as fast as it is taken. Resolves when the connection is gone. */
function floodUntilClosed(socket: Socket, piece: string | Buffer): Promise<void> {
  const flood = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', flood)
  flood()
  return new Promise((resolve) => socket.once('close', () => resolve()))
}

/** Writes one piece at a time until the connection is gone. */
function dripUntilClosed(socket: Socket, piece: string) {
  const timer = setInterval(() => socket.write(piece), 5)
  socket.once('close', () => clearInterval(timer))
}

describe('the size of an answer is bounded', () => {
  it('16 MiB are taken', async () => {
    const body = Buffer.alloc(16 * mebibyte, 'x')
    const server = await startRawUpstream((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.byteLength}\r\n\r\n`)
      socket.write(body)
    })
    const answer = expectAnswered(await createTestUpstream().send({ url: server.url }))
    expect(answer.body.equals(body)).toBe(true)
  })

  it('17 MiB that are announced are given up on at the head', async () => {
    const server = await startRawUpstream((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${17 * mebibyte}\r\n\r\n`)
    })
    const connection = server.nextConnection()
    const answer = await createTestUpstream().send({ method: 'POST', url: server.url })
    expect(answer).toMatchObject({ ok: false, code: 'too_large', status: 200, isSent: true })
    const socket = await connection
    await new Promise((resolve) => (socket.closed ? resolve(null) : socket.once('close', resolve)))
  })

  it.each([
    ['in chunks', chunkedHead, `10000\r\n${'x'.repeat(65_536)}\r\n`],
    ['without a length', 'HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(65_536)],
  ])('an endless body %s: the connection is dropped at the bound', async (_, head, piece) => {
    let flooded: Promise<void> | undefined
    const server = await startRawUpstream((socket) => {
      socket.write(head)
      flooded = floodUntilClosed(socket, piece)
    })
    const answer = await createTestUpstream().send({ url: server.url })
    expect(answer).toMatchObject({ ok: false, code: 'too_large', status: 200, isSent: true })
    await flooded
    // What is beyond the bound lay in the buffers of the two sockets.
    expect(server.sockets[0]?.bytesWritten).toBeGreaterThan(maxAnswerBytesDefault)
    expect(server.sockets[0]?.bytesWritten).toBeLessThan(maxAnswerBytesDefault + 12 * mebibyte)
  })

  it('a call may set a smaller bound', async () => {
    const server = await startRawUpstream((socket) => socket.write(plainAnswer('12345')))
    const upstream = createTestUpstream()
    const exact = await upstream.send({ url: server.url, maxAnswerBytes: 5 })
    const less = await upstream.send({ url: server.url, maxAnswerBytes: 4 })
    expect(expectAnswered(exact).body.toString()).toBe('12345')
    expect(expectFailed(less).detail).toBe('the answer is larger than 4 bytes')
  })

  it.each([
    ['one field of 1 MiB', `x-a: ${'x'.repeat(mebibyte)}\r\n`],
    ['1 MiB of small fields', 'x-a: xxxxxxxxxxxxxxxxxxxxxxxx\r\n'.repeat(mebibyte / 32)],
  ])('a head with %s', async (_, fields) => {
    const server = await startRawUpstream((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${fields}content-length: 0\r\n\r\n`)
    })
    const answer = expectFailed(await createTestUpstream().send({ url: server.url }))
    expect(answer).toMatchObject({ code: 'too_large', isSent: true })
    expect(answer).not.toHaveProperty('status')
    expect(answer.detail).toMatch(/header fields/)
  })

  it('trailers without end', async () => {
    const server = await startRawUpstream((socket) => {
      socket.write(`${chunkedHead}2\r\n{}\r\n0\r\n`)
      void floodUntilClosed(socket, `x-a: ${'x'.repeat(1024)}\r\n`)
    })
    const answer = await createTestUpstream().send({ url: server.url })
    expect(answer).toMatchObject({ ok: false, code: 'too_large', isSent: true, status: 200 })
  })
})

describe('the time of an answer is bounded as a whole', () => {
  it.each([
    ['nothing comes', () => {}, undefined],
    ['the head drips', (socket: Socket) => dripUntilClosed(socket, 'x-a: b\r\n'), undefined],
    [
      'the body drips',
      (socket: Socket) => {
        socket.write(chunkedHead)
        dripUntilClosed(socket, '1\r\n \r\n')
      },
      200,
    ],
    [
      'the body stops',
      (socket: Socket) => socket.write('HTTP/1.1 500 Oh\r\ncontent-length: 9\r\n\r\nhalf'),
      500,
    ],
    [
      'interim answers without end',
      (socket: Socket) => dripUntilClosed(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'),
      undefined,
    ],
  ])('%s', async (what, play, status) => {
    const server = await startRawUpstream((socket) => {
      if (what === 'the head drips') socket.write('HTTP/1.1 200 OK\r\n')
      play(socket)
    })
    const answer = expectFailed(
      await createTestUpstream().send({ method: 'POST', url: server.url, answerTimeoutMs: 600 }),
    )
    expect(answer).toMatchObject({ code: 'timeout', isSent: true })
    expect(answer.status).toBe(status)
    expect(answer.detail).toMatch(/^no complete answer within 600 ms, /)
    expect(answer.durationMs).toBeGreaterThanOrEqual(599)
  })

  it('the connection of a call that timed out is not used again', async () => {
    const server = await startRawUpstream((socket, { number }) => {
      if (number === 2) socket.write(plainAnswer('{"second":true}'))
    })
    const upstream = createTestUpstream()
    const first = await upstream.send({ url: server.url, answerTimeoutMs: 60 })
    const second = await upstream.send({ url: server.url })
    expect(first).toMatchObject({ code: 'timeout' })
    expect(expectAnswered(second).body.toString()).toBe('{"second":true}')
    expect(server.sockets).toHaveLength(2)
  })
})

describe('compression', () => {
  const text = JSON.stringify({ text: 'فاتورة'.repeat(100) })
  const answerCompressed = async (encoding: string, body: Buffer, maxAnswerBytes?: number) => {
    const server = await startRawUpstream((socket) => {
      const fields = `content-encoding: ${encoding}\r\ncontent-length: ${body.byteLength}`
      socket.write(`HTTP/1.1 200 OK\r\n${fields}\r\n\r\n`)
      socket.write(body)
    })
    const bound = maxAnswerBytes === undefined ? {} : { maxAnswerBytes }
    const answer = await createTestUpstream().send({ url: server.url, ...bound })
    return { answer, request: server.requests[0] }
  }

  it('is not asked for', async () => {
    const { request } = await answerCompressed('identity', Buffer.from(text))
    expect(request).toMatch(/^accept-encoding: identity\r$/m)
  })

  it.each([
    ['gzip', gzipSync(text)],
    ['X-GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
  ])('is undone all the same: %s', async (encoding, body) => {
    const answer = expectAnswered((await answerCompressed(encoding, body)).answer)
    expect(answer.body.toString()).toBe(text)
    expect(answer.headers).not.toHaveProperty('content-encoding')
    expect(answer.headers).not.toHaveProperty('content-length')
  })

  it.each([
    ['gzip', gzipSync(Buffer.alloc(64 * mebibyte))],
    ['deflate', deflateSync(Buffer.alloc(64 * mebibyte))],
    ['br', brotliCompressSync(Buffer.alloc(64 * mebibyte))],
  ])('a bomb is given up on at the bound: %s', async (encoding, bomb) => {
    expect(bomb.byteLength).toBeLessThan(mebibyte)
    const { answer } = await answerCompressed(encoding, bomb)
    expect(answer).toMatchObject({ ok: false, code: 'too_large', status: 200, isSent: true })
    expect(expectFailed(answer).detail).toBe(
      `the decompressed answer is larger than ${maxAnswerBytesDefault} bytes`,
    )
  })

  it('decoded bytes count up to the bound and no further', async () => {
    const body = gzipSync(Buffer.alloc(1000))
    const exact = await answerCompressed('gzip', body, 1000)
    const less = await answerCompressed('gzip', body, 999)
    expect(expectAnswered(exact.answer).body.byteLength).toBe(1000)
    expect(less.answer).toMatchObject({ code: 'too_large' })
  })

  it.each([
    ['cut short inside', 'gzip', gzipSync(text).subarray(0, 40)],
    ['not what it says', 'gzip', Buffer.from(text)],
    ['not what it says', 'br', Buffer.from(text)],
    ['of another kind', 'zstd', zstdCompressSync(text)],
    ['stacked', 'gzip, gzip', gzipSync(gzipSync(text))],
    ['named like a property', 'constructor', Buffer.from(text)],
  ])('%s (%s) is a failure', async (_, encoding, body) => {
    const { answer } = await answerCompressed(encoding, body)
    expect(answer).toMatchObject({ ok: false, code: 'protocol', status: 200, isSent: true })
  })
})
