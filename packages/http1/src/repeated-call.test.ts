import { createAddressGuard, openGuardedSocket } from '@gatehouse/upstream/http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { RecordedCall } from './testing/recorded-call.ts'
import { answerOk, startRecordingUpstream } from './testing/recording-upstream.ts'
import { ConnectionPool } from './connection-pool.ts'
import { ConnectionSweeper } from './connection-sweeper.ts'

const guard = createAddressGuard({ allow: [], deny: [], own: () => [] })
const body = Buffer.from('abc')
const withBody = { body, bodyLength: 3, fields: ['Content-Length', '3'] }

/** The first request is answered; what becomes of the second on the same connection is the test's. */
async function startWithUsedConnection(endSecond: (socket: Socket) => void) {
  const served = new WeakSet<Socket>()
  const upstream = await startRecordingUpstream((socket, request) => {
    if (served.has(socket)) endSecond(socket)
    else answerOk(socket, request)
    served.add(socket)
  })
  const pool = new ConnectionPool(
    upstream.url,
    (target, callback) => openGuardedSocket({ guard, connectTimeoutMs: 5_000 }, target, callback),
    { sweeper: new ConnectionSweeper() },
  )
  onTestFinished(() => pool.destroy())
  const send = async (parts: Partial<RecordedCall> = {}) => {
    const call = Object.assign(new RecordedCall(), parts)
    pool.dispatch(call)
    return call.ended
  }
  expect(await send()).toMatchObject({ body: 'ok' })
  return { upstream, send }
}

describe('a call on a kept connection that ends without a byte of an answer', () => {
  it.each([
    ['GET, closed', {}, (socket: Socket) => socket.end()],
    ['GET, reset', {}, (socket: Socket) => socket.resetAndDestroy()],
    ['HEAD', { method: 'HEAD' }, (socket: Socket) => socket.end()],
    ['PUT', { method: 'PUT', ...withBody }, (socket: Socket) => socket.end()],
  ])('is sent once more, on a new connection: %s', async (_name, call, endSecond) => {
    const { upstream, send } = await startWithUsedConnection(endSecond)
    expect(await send(call)).toMatchObject({ failure: null })
    expect(upstream.requests).toHaveLength(3)
    expect(upstream.requests[2]).toEqual(upstream.requests[1])
    expect(upstream.sockets).toHaveLength(2)
  })

  it.each([
    ['POST', { method: 'POST', ...withBody }],
    ['POST without a body', { method: 'POST' }],
    ['GET that its caller forbids to repeat', { isRepeatable: false }],
    ['PUT that its caller forbids to repeat', { method: 'PUT', isRepeatable: false, ...withBody }],
    ['PATCH', { method: 'PATCH', ...withBody }],
    ['PUT with a streamed body', { method: 'PUT', bodyLength: -1, body: Readable.from([body]) }],
  ])('fails, where it may not be sent again: %s', async (_name, call) => {
    const { upstream, send } = await startWithUsedConnection((socket) => socket.end())
    expect((await send(call)).failure?.failure).toBe('cut')
    expect(upstream.requests).toHaveLength(2)
  })

  it('fails, where one byte of an answer came', async () => {
    const { upstream, send } = await startWithUsedConnection((socket) => socket.end('H'))
    expect((await send()).failure?.failure).toBe('cut')
    expect(upstream.requests).toHaveLength(2)
  })

  it('fails with a time-out, where the upstream says nothing', async () => {
    const { upstream, send } = await startWithUsedConnection(() => undefined)
    expect((await send({ timeoutMs: 20 })).failure?.failure).toBe('timeout')
    expect(upstream.requests).toHaveLength(2)
  })
})
