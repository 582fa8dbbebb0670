import { getEventListeners } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { nextBodyChunk } from '../testing/body-chunks.ts'
import { plainAnswer, startRawUpstream } from '../testing/raw-upstream.ts'
import { createTestUpstream, expectAnswered, expectFailed } from '../testing/test-upstream.ts'

/** undici takes a connection back one turn of the event loop after the answer is complete. */
const connectionIsIdle = () => nextTurn().then(() => nextTurn())

describe('a connection that is lost while it is used again', () => {
  it.each([
    ['POST', 'closed', (socket: { end(): unknown }) => socket.end()],
    ['PUT', 'closed', (socket: { end(): unknown }) => socket.end()],
    ['GET', 'closed', (socket: { end(): unknown }) => socket.end()],
    ['POST', 'reset', (socket: { resetAndDestroy(): unknown }) => socket.resetAndDestroy()],
    ['GET', 'reset', (socket: { resetAndDestroy(): unknown }) => socket.resetAndDestroy()],
  ] as const)('%s, %s: counts as sent, and is not sent again', async (method, _, lose) => {
    const connections: number[] = []
    const server = await startRawUpstream((socket, { number, connection }) => {
      connections.push(connection)
      if (number === 2) lose(socket)
      else socket.write(plainAnswer('{}'))
    })
    const upstream = createTestUpstream()
    const body = method === 'GET' ? {} : { body: '{"number":2}' }
    expectAnswered(await upstream.send({ method: 'POST', url: server.url, body: '1' }))
    await connectionIsIdle()
    const lost = await upstream.send({ method, url: `${server.url}two`, ...body })
    expect(lost).toMatchObject({ ok: false, code: 'cut', isSent: true })
    // A resend would have been in line before this one.
    expectAnswered(await upstream.send({ method: 'POST', url: `${server.url}three`, body: '3' }))
    const paths = server.requests.map((text) => text.split(' ')[1])
    expect(paths).toEqual(['/', '/two', '/three'])
    expect(connections).toEqual([1, 1, 2])
  })

  it('a connection closed while idle is replaced before anything is written to it', async () => {
    const server = await startRawUpstream((socket) => socket.write(plainAnswer('{}')))
    const upstream = createTestUpstream()
    expectAnswered(await upstream.send({ url: server.url }))
    const closed = new Promise((resolve) => server.sockets[0]?.once('close', resolve))
    server.sockets[0]?.end()
    await closed
    expectAnswered(await upstream.send({ method: 'POST', url: server.url, body: '{}' }))
    expect(server.requests).toHaveLength(2)
    expect(server.sockets).toHaveLength(2)
  })

  it('nothing is written where the right to send ended while the connection was made', async () => {
    const server = await startRawUpstream((socket) => socket.write(plainAnswer('{}')))
    let may = true
    const upstream = createTestUpstream({
      lookup: (_, __, callback) => {
        may = false
        callback(null, [{ address: '127.0.0.1', family: 4 }])
      },
    })
    const url = `http://authority.test:${new URL(server.url).port}/`
    const call = { method: 'POST', url, body: '{}', maySend: () => may } as const
    expect(expectFailed(await upstream.send(call))).toMatchObject({
      code: 'aborted',
      isSent: false,
    })
    expect(server.requests).toEqual([])
    expectAnswered(await upstream.send({ ...call, maySend: () => true }))
    expect(server.requests).toHaveLength(1)
  })

  it('a connection is used again while it lasts', async () => {
    const server = await startRawUpstream((socket) => socket.write(plainAnswer('{}')))
    const upstream = createTestUpstream()
    for (let count = 0; count < 5; count += 1) {
      expectAnswered(await upstream.send({ method: 'POST', url: server.url, body: '{}' }))
      await connectionIsIdle()
    }
    expect(server.sockets).toHaveLength(1)
  })

  it('a second answer on the connection is not taken for that of the next request', async () => {
    const server = await startRawUpstream((socket, { number }) => {
      const poison = number === 1 ? plainAnswer('{"poison":true}') : ''
      socket.write(plainAnswer(`{"number":${number}}`) + poison)
    })
    const upstream = createTestUpstream()
    const bodies = []
    for (let count = 0; count < 3; count += 1) {
      bodies.push(expectAnswered(await upstream.send({ url: server.url })).body.toString())
      if (count > 0) await connectionIsIdle()
    }
    expect(bodies).toEqual(['{"number":1}', '{"number":2}', '{"number":3}'])
  })

  it('requests at the same time have a connection each', async () => {
    const server = await startRawUpstream((socket, { text, number }) => {
      if (number < 8) return waiting.push(() => socket.write(plainAnswer(text.split(' ')[1] ?? '')))
      waiting.forEach((answer) => answer())
      return socket.write(plainAnswer(text.split(' ')[1] ?? ''))
    })
    const waiting: (() => void)[] = []
    const upstream = createTestUpstream()
    const paths = Array.from({ length: 8 }, (_, at) => `/${at}`)
    const answers = paths.map((path) => upstream.send({ url: new URL(path, server.url).href }))
    const bodies = (await Promise.all(answers)).map((it) => expectAnswered(it).body.toString())
    expect(bodies).toEqual(paths)
    expect(server.sockets).toHaveLength(8)
  })
})

describe('a call that is given up', () => {
  it('before it began: nothing is sent', async () => {
    const server = await startRawUpstream(() => {})
    const answer = await createTestUpstream().send({ url: server.url, signal: AbortSignal.abort() })
    expect(answer).toMatchObject({ ok: false, code: 'aborted', isSent: false })
    expect(server.sockets).toEqual([])
  })

  it('while connecting: nothing is sent, not even later', async () => {
    const server = await startRawUpstream(() => {})
    const abort = new AbortController()
    const connection = server.nextConnection()
    const upstream = createTestUpstream()
    const url = server.url.replace('http:', 'https:')
    const sent = upstream.send({ url, connectTimeoutMs: 1_000, signal: abort.signal })
    await connection
    abort.abort()
    expect(await sent).toMatchObject({ ok: false, code: 'aborted', isSent: false })
  })

  it('while the name is looked up: the connection that comes of it carries no request', async () => {
    const server = await startRawUpstream((socket) => socket.write(plainAnswer('{}')))
    const { promise: isLookingUp, resolve: announce } = Promise.withResolvers<() => void>()
    const upstream = createTestUpstream({
      lookup: (_host, _options, callback) =>
        announce(() => callback(null, [{ address: '127.0.0.1', family: 4 }])),
    })
    const abort = new AbortController()
    const url = `http://erp.test:${server.port}/`
    const sent = upstream.send({ method: 'POST', url, body: '{}', signal: abort.signal })
    const finishLookup = await isLookingUp
    abort.abort()
    expect(await sent).toMatchObject({ ok: false, code: 'aborted', isSent: false })
    const connection = server.nextConnection()
    finishLookup()
    const socket = await connection
    await new Promise((resolve) => (socket.closed ? resolve(null) : socket.once('close', resolve)))
    expect(server.requests).toEqual([])
  })

  it('while waiting for the head: counts as sent, and the connection is dropped', async () => {
    const server = await startRawUpstream(() => {})
    const abort = new AbortController()
    const arrived = server.nextRequest()
    const sent = createTestUpstream().send({ url: server.url, signal: abort.signal })
    await arrived
    abort.abort()
    const answer = expectFailed(await sent)
    expect(answer).toMatchObject({ code: 'aborted', isSent: true })
    expect(answer).not.toHaveProperty('status')
    const socket = server.sockets[0]
    await new Promise((resolve) =>
      socket?.closed ? resolve(null) : socket?.once('close', resolve),
    )
  })

  it('within the body: the status is known', async () => {
    const server = await startRawUpstream((socket) => {
      socket.write('HTTP/1.1 201 Created\r\ncontent-length: 9\r\n\r\nhalf')
    })
    const abort = new AbortController()
    const arrived = nextBodyChunk()
    const sent = createTestUpstream().send({ url: server.url, signal: abort.signal })
    await arrived
    abort.abort()
    expect(await sent).toMatchObject({ ok: false, code: 'aborted', isSent: true, status: 201 })
  })

  it('after the answer: nothing changes, and no listener stays behind', async () => {
    const server = await startRawUpstream((socket) => socket.write(plainAnswer('{}')))
    const abort = new AbortController()
    const upstream = createTestUpstream()
    expectAnswered(await upstream.send({ url: server.url, signal: abort.signal }))
    expect(getEventListeners(abort.signal, 'abort')).toEqual([])
    abort.abort()
    await connectionIsIdle()
    expectAnswered(await upstream.send({ url: server.url }))
    expect(server.sockets).toHaveLength(1)
  })
})
