import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { buildEndpoint, buildSnapshot } from './testing/build-snapshot.ts'
import { childSettings as settings, WorkerChild } from './testing/worker-child.ts'

const snapshot = buildSnapshot({ endpoints: [buildEndpoint({ custom_output: 'fixed' })] })

const statusOf = async (port: number) =>
  (await fetch(`http://127.0.0.1:${port}/sales/orders`)).status

it('serves once it has settings and a snapshot, reports, and drains', async () => {
  const worker = new WorkerChild()
  worker.tell({ type: 'start', settings })
  worker.tell({ type: 'snapshot', snapshot })
  const { port, revision } = await worker.receives('ready')
  expect(revision).toBe(1)
  expect(await statusOf(port)).toBe(200)
  worker.tell({ type: 'snapshot', snapshot: { ...snapshot, revision: 2, apis: 1 } })
  expect(await worker.receives('snapshot-refused')).toMatchObject({ revision: 2, kept: 1 })
  expect(await statusOf(port)).toBe(200)
  worker.tell({ type: 'lame-duck' })
  expect(await worker.receives('drained')).toEqual({ type: 'drained', cut: 0 })
  expect(await worker.exited).toBe(0)
  const reports = worker.received.filter((each) => each.type === 'report')
  const requests = reports.flatMap(({ traffic }) => traffic.map((each) => each.requests))
  expect(requests.reduce((sum, each) => sum + each, 0)).toBe(2)
})

it('shares a socket that its parent opened', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const worker = new WorkerChild()
  worker.tell({ type: 'start', settings: { ...settings, listen: null } }, server)
  worker.tell({ type: 'snapshot', snapshot })
  expect((await worker.receives('ready')).port).toBe(port)
  await new Promise((resolve) => server.close(resolve))
  expect(await statusOf(port)).toBe(200)
})

it('ends when its parent is gone', async () => {
  const worker = new WorkerChild()
  worker.tell({ type: 'start', settings })
  worker.tell({ type: 'snapshot', snapshot })
  await worker.receives('ready')
  worker.child.disconnect()
  expect(await worker.exited).toBe(0)
})

it('takes no signal for an order: its parent decides when it ends', async () => {
  const worker = new WorkerChild()
  worker.tell({ type: 'start', settings })
  worker.tell({ type: 'snapshot', snapshot })
  const { port } = await worker.receives('ready')
  worker.child.kill('SIGINT')
  expect(await statusOf(port)).toBe(200)
})
