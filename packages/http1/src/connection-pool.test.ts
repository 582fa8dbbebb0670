import { createAddressGuard, openGuardedSocket } from '@gatehouse/upstream/http'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { RecordedCall } from './testing/recorded-call.ts'
import { startRecordingUpstream } from './testing/recording-upstream.ts'
import type { Answering } from './testing/recording-upstream.ts'
import { ConnectionPool } from './connection-pool.ts'
import { ConnectionSweeper } from './connection-sweeper.ts'

const guard = createAddressGuard({ allow: [], deny: [], own: () => [] })

async function start(answer?: Answering) {
  const upstream = await startRecordingUpstream(answer)
  const sweeper = new ConnectionSweeper()
  const pool = poolFor(upstream.url, sweeper)
  const send = (call: Partial<RecordedCall> = {}) => {
    const made = Object.assign(new RecordedCall(), call)
    pool.dispatch(made)
    return made
  }
  /** As if a minute had passed. */
  const passMinute = () => sweeper.sweep(performance.now() + 60_000)
  return { upstream, pool, send, passMinute }
}

function poolFor(origin: string, sweeper = new ConnectionSweeper()): ConnectionPool {
  const pool = new ConnectionPool(
    origin,
    (target, callback) => openGuardedSocket({ guard, connectTimeoutMs: 5_000 }, target, callback),
    { sweeper },
  )
  onTestFinished(() => pool.destroy())
  return pool
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const says =
  (text: string): Answering =>
  (socket) =>
    socket.write(text, 'latin1')

describe('a connection is used again', () => {
  it('after an answer with a length, and after one in chunks', async () => {
    const answers = [
      ok,
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
      ok,
    ]
    const { upstream, send } = await start((socket) => socket.write(answers.shift() ?? ''))
    for (let round = 0; round < 3; round++) expect(await send().ended).toMatchObject({ body: 'ok' })
    expect(upstream.sockets).toHaveLength(1)
  })

  it('never by two calls at once', async () => {
    const { upstream, send } = await start()
    const answers = await Promise.all([send().ended, send().ended, send().ended])
    expect(answers.map(({ body }) => body)).toEqual(['ok', 'ok', 'ok'])
    expect(upstream.sockets).toHaveLength(3)
  })
})

describe('a connection is not used again', () => {
  it.each([
    ['Connection: close', 'HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 2\r\n\r\nok'],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok'],
    ['bytes behind the answer', `${ok}!`],
    ['a whole answer behind it', ok + ok],
    ['Keep-Alive: timeout=1', `HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\n${ok.slice(17)}`],
  ])('%s', async (_name, text) => {
    const { upstream, send } = await start(says(text))
    expect(await send().ended).toMatchObject({ body: 'ok' })
    expect(await send().ended).toMatchObject({ body: 'ok' })
    expect(upstream.sockets).toHaveLength(2)
  })

  it.each([
    ['HEAD', { method: 'HEAD' }],
    ['GET with a body', { body: Buffer.from('x'), bodyLength: 1, fields: ['Content-Length', '1'] }],
  ])('%s, which says so', async (_name, call) => {
    const { upstream, send } = await start()
    await send(call).ended
    await send().ended
    expect(upstream.sockets).toHaveLength(2)
    expect(upstream.requests[0]?.headers).toContainEqual(['connection', 'close'])
  })

  it('where the upstream sends a byte while it is idle', async () => {
    const { upstream, send } = await start(
      says(`HTTP/1.1 200 OK\r\nKeep-Alive: timeout=60\r\n${ok.slice(17)}`),
    )
    await send().ended
    const [first] = upstream.sockets
    const closed = once(first ?? expect.fail(), 'close')
    first?.write('H')
    await closed
    expect(await send().ended).toMatchObject({ body: 'ok' })
    expect(upstream.sockets).toHaveLength(2)
  })

  it('where the answer came before the whole body had left; the rest is not sent', async () => {
    const { upstream, send } = await start()
    const body = new Readable({ read: () => undefined })
    // The upstream takes the request for one without a body, and answers.
    const call = send({ method: 'POST', body, bodyLength: 5, fields: ['Content-Length', '0'] })
    expect(await call.ended).toMatchObject({ body: 'ok', failure: null })
    expect(body.destroyed).toBe(true)
    expect(await send().ended).toMatchObject({ body: 'ok' })
    expect(upstream.sockets).toHaveLength(2)
  })
})

describe('what was sent', () => {
  it.each([
    ['a value with CR LF', { fields: ['A', 'b\r\nC: d'] }],
    ['a value with NUL', { fields: ['A', 'b\0'] }],
    ['a value beyond Latin-1', { fields: ['A', '\u010a'] }],
    ['a path with a blank', { path: '/a HTTP/1.1' }],
    ['a path with CR LF', { path: '/a\r\nA:b' }],
  ])('%s is never written', async (_name, call) => {
    const { upstream, send } = await start()
    const failed = send(call)
    expect((await failed.ended).failure?.failure).toBe('protocol')
    expect([failed.isStarted, upstream.sockets.length]).toEqual([false, 0])
  })

  it('a value that was refused is refused again, also between fine ones', async () => {
    const { send } = await start()
    for (const value of ['fine', 'b\r\nC: d', 'b\r\nC: d', 'fine', 'b\r\nC: d']) {
      const { failure } = await send({ fields: ['A', value] }).ended
      expect(failure?.failure ?? 'none').toBe(value === 'fine' ? 'none' : 'protocol')
    }
  })

  it('a call whose connection is refused was not begun', async () => {
    const call = new RecordedCall()
    poolFor('http://127.0.0.1:1').dispatch(call)
    expect((await call.ended).failure?.failure).toBe('refused')
    expect(call.isStarted).toBe(false)
  })

  it('a call that is given up before its connection is open is never written', async () => {
    const { upstream, send } = await start()
    const given = send({ isWanted: false })
    expect((await send().ended).body).toBe('ok')
    expect([given.status, upstream.requests.length]).toEqual([0, 1])
  })

  it('a body without a length goes in chunks, POST without one says so', async () => {
    const { upstream, send } = await start()
    const body = Readable.from([Buffer.from('one'), Buffer.from('three')])
    expect(await send({ method: 'POST', body, bodyLength: -1 }).ended).toMatchObject({ body: 'ok' })
    expect(await send({ method: 'POST' }).ended).toMatchObject({ body: 'ok' })
    expect(upstream.requests.map((request) => request.body)).toEqual(['onethree', ''])
    expect(upstream.requests[1]?.headers).toContainEqual(['content-length', '0'])
    expect(upstream.sockets).toHaveLength(1)
  })

  it.each([
    ['shorter', 4],
    ['longer', 2],
  ])('a body that is %s than it was said to be ends the connection', async (_name, bodyLength) => {
    const { upstream, send } = await start()
    const fields = ['Content-Length', String(bodyLength)]
    const body = Readable.from([Buffer.from('abc')])
    const call = { method: 'POST', body, bodyLength, fields }
    expect((await send(call).ended).failure?.failure).toBe('aborted')
    await expect.poll(() => upstream.sockets[0]?.closed).toBe(true)
    expect(upstream.requests.length).toBe(0)
  })
})

describe('time', () => {
  it('an answer that does not come ends the call', async () => {
    const { send } = await start(() => undefined)
    expect((await send({ timeoutMs: 20 }).ended).failure?.failure).toBe('timeout')
  })

  it('a body that does not go on ends the call', async () => {
    const { send, passMinute } = await start(says('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab'))
    const call = send({ timeoutMs: 50_000 })
    await call.begun
    passMinute()
    expect((await call.ended).failure?.failure).toBe('timeout')
  })

  it('a client that takes its time with the body is not the upstream’s fault', async () => {
    const { send, passMinute } = await start()
    const body = new Readable({ read: () => undefined })
    const call = send({ method: 'POST', body, bodyLength: -1, timeoutMs: 50_000 })
    await call.started
    passMinute()
    body.push('late')
    body.push(null)
    expect(await call.ended).toMatchObject({ body: 'ok', failure: null })
  })

  it('an answer that a client does not take is not the upstream’s fault, until it is taken again', async () => {
    const { send, passMinute } = await start(says('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab'))
    const call = send({ timeoutMs: 50_000, isPausing: true })
    await call.begun
    passMinute()
    expect(call.failure).toBeNull()
    call.resume()
    passMinute()
    expect((await call.ended).failure?.failure).toBe('timeout')
  })

  it('an idle connection is given up after the time it is kept', async () => {
    const { upstream, send, passMinute } = await start()
    await send().ended
    passMinute()
    expect(await send().ended).toMatchObject({ body: 'ok' })
    expect(upstream.sockets).toHaveLength(2)
  })
})

it('a pool that is closed lets calls end and keeps no connection', async () => {
  const { upstream, pool, send } = await start()
  const call = send()
  pool.close()
  expect((await call.ended).body).toBe('ok')
  await expect.poll(() => upstream.sockets[0]?.closed).toBe(true)
})

it('a pool that is destroyed ends calls, those that still connect among them', async () => {
  const { pool, send } = await start(() => undefined)
  const sent = send()
  await sent.started
  const connecting = send()
  await pool.destroy()
  expect((await sent.ended).failure?.failure).toBe('aborted')
  expect((await connecting.ended).failure?.failure).toBe('aborted')
})
