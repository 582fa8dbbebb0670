import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { onTestFinished } from 'vitest'

// Listens with the smallest backlog, then blocks its thread so that nothing is ever accepted.
const stuckListener = `
  const { parentPort, workerData } = require('node:worker_threads')
  const server = require('node:net').createServer()
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port)
    setImmediate(() => Atomics.wait(workerData, 0, 0))
  })
`

/** A loopback port whose queue of connections is full: one more gets no answer to its SYN. */
export async function startFullBacklog(): Promise<number> {
  const lock = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(stuckListener, { eval: true, workerData: lock })
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  // A backlog of 1 holds two; the others wait in vain, as the call under test will.
  const fillers = Array.from({ length: 8 }, () => connect(port, '127.0.0.1'))
  onTestFinished(async () => {
    fillers.forEach((filler) => filler.destroy())
    Atomics.store(lock, 0, 1)
    Atomics.notify(lock, 0)
    await worker.terminate()
  })
  const connected = fillers.map((filler) => new Promise((resolve) => filler.on('connect', resolve)))
  fillers.forEach((filler) => filler.on('error', () => filler.destroy()))
  await Promise.all(connected.slice(0, 2))
  return port
}
