// Databases: SQLite.

import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  startInvoiceMachine,
  type InvoiceMachine,
} from '../../../../test/servers/machine-server.ts'
import { json } from '../../../../test/servers/run-server.ts'
import { boundBodies } from '../../../http/slow-bodies.ts'

// Calls of machines over real connections: bodies that take their time, and callers that leave.

let { app, invoices, paused } = {} as InvoiceMachine
beforeAll(async () => {
  ;({ app, invoices, paused } = await startInvoiceMachine())
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(json(200, { ok: true }))
})

type Machine = Awaited<ReturnType<InvoiceMachine['app']['machine']>>
type Flow = InvoiceMachine['invoices']

/** The port of the server, which listens from the first test on. */
async function portOf(): Promise<number> {
  const { app: http } = app.server
  if (!http.server.listening) await http.listen({ port: 0, host: '127.0.0.1' })
  return (http.server.address() as AddressInfo).port
}

let keys = 0
/** Sends the head of a call; `length` bytes of a body are to follow. */
async function open(flow: Flow, { token }: Machine, length: number, headers: string[] = []) {
  const socket = connect(await portOf(), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('error', () => {}).on('data', (bytes: Buffer) => (text += bytes.toString('utf8')))
  const answered = once(socket, 'close').then(() => text)
  const head = [
    `POST /api/workflows/${flow.slug}/runs HTTP/1.1`,
    'host: 127.0.0.1',
    'connection: close',
    `authorization: Bearer ${token}`,
    `idempotency-key: key-of-connection-${++keys}`,
    'content-type: application/json',
    `content-length: ${length}`,
    ...headers,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  return { socket, answered }
}

const runsOf = ({ id }: Machine) =>
  app.server.db.selectFrom('run').select(['id', 'state']).where('user_id', '=', id).execute()

/** Resolves once the guard has let the call in: it notes that the token was used. */
const letIn = ({ tokenId }: Machine) =>
  vi.waitFor(
    async () => {
      const row = await app.server.db
        .selectFrom('personal_token')
        .select('last_used_at')
        .where('id', '=', tokenId)
        .executeTakeFirstOrThrow()
      expect(row.last_used_at).not.toBeNull()
    },
    { interval: 5 },
  )

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

describe('a body that arrives piece by piece, with a token that is right', () => {
  const body = '{"no":"SLOW-1","branch":"B1"}'

  it('is one run once it is whole, and nothing before', async () => {
    const erp = await app.machine(invoices)
    const { socket, answered } = await open(invoices, erp, body.length)
    await letIn(erp)
    for (const byte of body.slice(0, -1)) {
      socket.write(byte)
      await new Promise(setImmediate)
    }
    expect(await runsOf(erp)).toEqual([])
    socket.write(body.slice(-1))
    expect(statusOf(await answered)).toBe(202)
    await app.settled()
    expect(await runsOf(erp)).toMatchObject([{ state: 'succeeded' }])
  })

  it('is a 401 where the token is revoked before its last byte, and nothing is stored', async () => {
    const erp = await app.machine(invoices)
    const { socket, answered } = await open(invoices, erp, body.length)
    await letIn(erp)
    socket.write(body.slice(0, -1))
    await app.server.stores.tokens.revoke(erp.tokenId, app.server.time.now.toISOString())
    socket.write(body.slice(-1))
    expect(statusOf(await answered)).toBe(401)
    expect(await runsOf(erp)).toEqual([])
  })

  it('stores nothing where the caller leaves before its last byte', async () => {
    const erp = await app.machine(invoices)
    const { socket, answered } = await open(invoices, erp, body.length)
    await letIn(erp)
    socket.write(body.slice(0, -1))
    socket.destroy()
    await answered
    await allClosed()
    expect(await runsOf(erp)).toEqual([])
  })
})

/** The server has seen that every caller has left. */
const allClosed = () =>
  vi.waitFor(
    async () => {
      const { server } = app.server.app
      const count = await new Promise<number>((resolve, reject) =>
        server.getConnections((error, open) => (error ? reject(error) : resolve(open))),
      )
      expect(count).toBe(0)
    },
    { interval: 5 },
  )

describe('a caller that leaves while it waits for the end (Prefer: wait)', () => {
  it('leaves a run that goes on, is sent once, and is found by its key', async () => {
    const erp = await app.machine(invoices)
    const released = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    app.answer((_, response) => {
      arrived.resolve()
      void released.promise.then(() => response.end('{}'))
    })
    const body = '{"no":"LEFT-1","branch":"B1"}'
    const { socket, answered } = await open(invoices, erp, body.length, ['prefer: wait=60'])
    const key = `key-of-connection-${keys}`
    socket.write(body)
    await arrived.promise
    socket.destroy()
    await answered
    await allClosed()
    expect(await runsOf(erp)).toMatchObject([{ state: 'running' }])
    released.resolve()
    await app.settled()
    expect(await runsOf(erp)).toMatchObject([{ state: 'succeeded' }])
    expect(app.upstream.received).toHaveLength(1)
    const again = await app.start(invoices.slug, erp.token, JSON.parse(body), {
      key,
      headers: { prefer: 'wait=60' },
    })
    expect([again.status, again.headers['idempotent-replay']]).toEqual([200, 'true'])
    expect(app.upstream.received).toHaveLength(1)
  })
})

// Last: from here on the server gives bodies no time.
it('a body that takes longer than it may is a 408, and its key is free', async () => {
  const none = { graceMs: 0, minBytesPerSecond: Infinity, maxMs: 0 }
  boundBodies(app.server.app.server, { lookEveryMs: 10, usual: none, upload: none })
  // It begins to look when the server listens, which it does already.
  app.server.app.server.emit('listening')
  const erp = await app.machine(paused)
  const { socket, answered } = await open(paused, erp, 10)
  await letIn(erp)
  socket.write('{"no"')
  const answer = await answered
  expect(statusOf(answer)).toBe(408)
  expect(answer).toContain('"code":"request.malformed"')
  expect(await runsOf(erp)).toEqual([])
  const key = `key-of-connection-${keys}`
  expect((await app.start(paused.slug, erp.token, { no: 1 }, { key })).status).toBe(202)
})
