// Databases: SQLite.

import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { routes, type Route } from '@gatehouse/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { batchTypesByName, linesOf, startBatchServer } from '../../test/servers/batch-server.ts'
import { sendRaw, type RawExchange } from '../../test/servers/raw-request.ts'

// A request may be refused before its body has arrived. The client may go on sending, wait, or go away:
// the server has to outlive each of them, and so has everything that still looks at the request.

const { shared } = startBatchServer()
const uncaught: unknown[] = []
const note = (error: unknown) => void uncaught.push(error)
const open: Socket[] = []
let port: number

beforeAll(async () => {
  const { app } = shared.app.server
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
  process.on('uncaughtExceptionMonitor', note)
})
afterAll(() => {
  process.off('uncaughtExceptionMonitor', note)
  for (const socket of open) socket.destroy()
})

async function expectToServe(): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${port}/healthz`)
  expect(status).toBe(200)
}

type Request = Parameters<typeof sendRaw>[1]

function send(request: Request): RawExchange {
  const exchange = sendRaw(port, request)
  open.push(exchange.socket)
  return exchange
}

/** Much more than what is sent of it. */
const promised = 8_000_000
const filler = Buffer.alloc(70_000, 'x')
const longText = Buffer.alloc(1_100_000, 'x')

interface Refusal {
  type: keyof typeof batchTypesByName
  parts: (string | Buffer)[]
  status: number
}

const refusals: Record<string, Refusal> = {
  'a column named twice': { type: 'csv', parts: ['no,no\n', 'A,B\n'], status: 422 },
  'an unclosed quote': { type: 'csv', parts: ['no\n"A', longText], status: 400 },
  'bad UTF-8': {
    type: 'ndjson',
    parts: [`${linesOf('A', 'B')}\n`, Buffer.from([0xff, 0xfe, 0x0a])],
    status: 400,
  },
  'an input of more than 1 MiB': { type: 'ndjson', parts: ['{"no":"', longText], status: 413 },
  'no array': { type: 'json', parts: ['{"no":"A"}', filler], status: 400 },
}

/** What a client does once it has its refusal: it goes on sending, waits, ends its side, or goes away. */
const clients: ((socket: Socket) => void)[] = [
  (socket) => void socket.write(longText),
  () => {},
  (socket) => void socket.end(),
  (socket) => void socket.resetAndDestroy(),
]

const uploadOf = (path: string, { type, parts }: Omit<Refusal, 'status'>): Request => ({
  method: 'POST',
  url: `/api/workflows/${shared.flow.slug}/batches${path}`,
  token: path === '' ? shared.erp.token : shared.app.server.admin.token,
  type: batchTypesByName[type],
  length: promised,
  parts,
})

describe.each(['', '/check'])('an upload to batches%s', (path) => {
  it.each(Object.keys(refusals))('with %s is refused before its end', async (why) => {
    const refusal = refusals[why]!
    const exchanges = clients.map(() => send(uploadOf(path, refusal)))
    const statuses = await Promise.all(exchanges.map(({ status }) => status))
    expect(statuses).toEqual(clients.map(() => refusal.status))
    for (const [at, { socket }] of exchanges.entries()) clients[at]?.(socket)
  })

  it('may break off anywhere', async () => {
    for (const parts of [[], ['{"no":"A'], [linesOf('A', 'B')], [filler]]) {
      const { socket } = send(uploadOf(path, { type: 'ndjson', parts }))
      socket.end(() => socket.resetAndDestroy())
      await once(socket, 'close')
    }
    await expectToServe()
  })
})

describe('the rest of a refused body is dropped, and its connection goes on', () => {
  const next = 'GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'

  async function expectToGoOn(request: Request, status: number): Promise<void> {
    const { socket, answers } = send(request)
    expect(await answers(1)).toEqual([status])
    const sent = request.parts.reduce((sum, part) => sum + part.length, 0)
    socket.write(Buffer.alloc(request.length - sent, 'x'))
    socket.write(next)
    expect(await answers(2)).toEqual([status, 200])
  }

  it.each(['a column named twice', 'an input of more than 1 MiB', 'no array'])(
    'of an upload with %s',
    (why) => expectToGoOn(uploadOf('', refusals[why]!), refusals[why]!.status),
  )

  it('of an upload with more than 100,000 inputs', async () => {
    // Rows of another length than the header are not checked any further, which is quick.
    const parts = ['no\n', 'A,B\n'.repeat(100_100)]
    await expectToGoOn(uploadOf('/check', { type: 'csv', parts }), 413)
  })

  it.each([
    ['of an upload by an unknown caller', { token: 'nobody' }, 401],
    ['of an upload of another type', { type: 'text/plain' }, 415],
    ['of an upload to no workflow', { url: '/api/workflows/none/batches' }, 404],
    ['of an upload with a query that is wrong', { query: '?test=perhaps' }, 422],
  ])('%s', async (_, { query = '', ...change }: Partial<Request> & { query?: string }, status) => {
    const upload = { ...uploadOf('', { type: 'ndjson', parts: [filler] }), ...change }
    await expectToGoOn({ ...upload, url: `${upload.url}${query}` }, status)
  })

  it('of a body that is larger than its route takes', async () => {
    const { token } = shared.app.server.admin
    const json = { method: 'POST', url: '/api/role', token, type: 'application/json' }
    await expectToGoOn({ ...json, length: promised, parts: [filler] }, 413)
  })
})

describe('every route with a body', () => {
  const withBody: readonly Route[] = routes.filter(({ method }) => method !== 'GET')

  /** Refusals before, in and after the body; nothing of it reaches a handler. */
  async function refusedAround({ method, path, access, bodyLimitBytes = 1024 * 1024 }: Route) {
    const request = {
      method,
      url: path.replace(/:\w+/g, '999999'),
      token: shared.app.server.admin.token,
      type: 'application/json',
      length: bodyLimitBytes,
      parts: ['{"a":'],
    }
    const refused = [
      send({ ...request, ...(access === 'public' ? { type: 'no/type' } : { token: 'nobody' }) }),
      send({ ...request, type: 'text/plain' }),
      send({ ...request, length: 300_000_000, parts: [filler] }),
      send({ ...request, length: 1_001, parts: ['{', 'x'.repeat(1_000)] }),
    ]
    const cut = send({ ...request, parts: ['{"a":"', filler] })
    cut.socket.end(() => cut.socket.resetAndDestroy())
    const statuses = await Promise.all(refused.map(({ status }) => status))
    for (const { socket } of refused) socket.end(() => socket.resetAndDestroy())
    return { path, statuses }
  }

  it('refuses it before, in and after the body', async () => {
    const left = [...withBody]
    while (left.length > 0)
      for (const { path, statuses } of await Promise.all(left.splice(0, 16).map(refusedAround)))
        for (const status of statuses) {
          expect(status, path).toBeGreaterThanOrEqual(400)
          expect(status, path).toBeLessThan(500)
        }
  })
})

it('the server outlives all of them', async () => {
  // Until the look at bodies that arrive, once a second, has come twice.
  for (let at = 0; at < 10; at++) {
    await expectToServe()
    await pause(220)
  }
  expect(uncaught).toEqual([])
})
