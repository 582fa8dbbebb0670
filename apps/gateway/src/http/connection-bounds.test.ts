import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildEndpoint, buildSnapshot } from '../testing/build-snapshot.ts'
import { RawClient } from '../testing/raw-client.ts'
import { startGateway } from '../testing/test-gateway.ts'
import { childSettings, WorkerChild } from '../testing/worker-child.ts'
import { descriptorLimit, socketBudget } from '@gatehouse/upstream/http'

const snapshot = buildSnapshot({ endpoints: [buildEndpoint({ custom_output: 'fixed' })] })
const request = 'GET /sales/orders HTTP/1.1\r\nHost: a\r\n\r\n'

async function startChild(openFilesMax: number) {
  const worker = new WorkerChild(openFilesMax)
  worker.tell({ type: 'start', settings: { ...childSettings, keepAliveMs: 60_000 } })
  worker.tell({ type: 'snapshot', snapshot })
  const { port } = await worker.receives('ready')
  return { worker, port }
}

/** Connections from `localAddress` that send nothing; resolves once each is connected or was refused. */
async function openIdle(port: number, count: number, localAddress: string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () =>
    connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined),
  )
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve) => {
          socket.once('connect', resolve).once('close', () => resolve())
        }),
    ),
  )
  return sockets
}

async function closeAll(sockets: Socket[]): Promise<void> {
  const open = sockets.filter((socket) => !socket.closed)
  open.forEach((socket) => socket.destroy())
  await Promise.all(open.filter((socket) => !socket.closed).map((socket) => once(socket, 'close')))
}

/** The second report from now on: all of it was counted after this call. */
async function nextReport(worker: WorkerChild) {
  await worker.receives('report', worker.received.length)
  return worker.receives('report', worker.received.length)
}

// Elsewhere loopback has one address, and no `ulimit`.
describe.runIf(process.platform === 'linux')('a worker whose process may open 256 files', () => {
  it('lives on, however many connections come from one address, and refuses what is too much', async () => {
    const { worker, port } = await startChild(256)
    const sockets = await openIdle(port, 300, '127.0.0.2')
    const report = await nextReport(worker)
    expect(report.connections).toBeLessThanOrEqual(socketBudget(256).clients / 2 + 1)
    const reports = worker.received.filter((each) => each.type === 'report')
    const refused = reports.reduce((sum, each) => sum + (each.codes['gateway.connections'] ?? 0), 0)
    expect(refused).toBe(300 - socketBudget(256).clients / 2)
    const others = await fetch(`http://127.0.0.1:${port}/sales/orders`)
    expect([others.status, await others.text()]).toEqual([200, 'fixed'])
    await closeAll(sockets)
    expect(worker.child.exitCode).toBeNull()
  })

  it('lives on, however many connections come from many, and answers when they are gone', async () => {
    const { worker, port } = await startChild(256)
    const addresses = Array.from({ length: 10 }, (_, at) => `127.0.0.${at + 2}`)
    const all = await Promise.all(addresses.map((address) => openIdle(port, 30, address)))
    const report = await nextReport(worker)
    expect(report.connections).toBeLessThanOrEqual(socketBudget(256).clients)
    expect(report.rss_bytes).toBeGreaterThan(0)
    await closeAll(all.flat())
    await nextReport(worker)
    expect((await fetch(`http://127.0.0.1:${port}/sales/orders`)).status).toBe(200)
  })
})

describe('connections of one address', () => {
  it('are refused with 503 beyond their number, and let in again when one has gone', async () => {
    const gateway = await startGateway(snapshot, { connectionsPerAddress: 2 })
    const [first, second] = [new RawClient(gateway.port), new RawClient(gateway.port)]
    for (const client of [first, second]) {
      client.send(request)
      expect((await client.answer())?.status).toBe(200)
    }
    const third = new RawClient(gateway.port)
    const refused = await third.answer()
    expect([refused?.status, JSON.parse(refused?.body ?? '')]).toMatchObject([
      503,
      { code: 'gateway.connections' },
    ])
    expect(gateway.report()).toMatchObject({
      connections: 2,
      codes: { 'gateway.connections': 1 },
    })
    first.send('GET /sales/orders HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    await first.rest()
    await expect.poll(() => gateway.report().connections).toBe(1)
    const fourth = new RawClient(gateway.port)
    fourth.send(request)
    expect((await fourth.answer())?.status).toBe(200)
  })

  it('are not bounded for a trusted proxy', async () => {
    const gateway = await startGateway(snapshot, {
      connectionsPerAddress: 1,
      trustedProxies: ['127.0.0.1'],
    })
    const clients = [1, 2, 3].map(() => new RawClient(gateway.port))
    for (const client of clients) {
      client.send(request)
      expect((await client.answer())?.status).toBe(200)
    }
  })
})

it.each([
  [1_024, 432, 96],
  [256, 86, 19],
  [16, 3, 1],
  [Infinity, Infinity, Infinity],
])('of %d descriptors clients take %d, idle upstreams %d', (limit, clients, idleUpstreams) => {
  expect(socketBudget(limit)).toEqual({ clients, idleUpstreams })
  const calls = clients
  if (limit >= 256) expect(clients + calls + idleUpstreams).toBeLessThanOrEqual(limit)
})

it('the limit of this process is known', () => {
  expect(descriptorLimit()).toBeGreaterThan(0)
})
