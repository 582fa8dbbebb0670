import { readFileSync } from 'node:fs'
import http from 'node:http'
import type { Product } from '../../e2e/harness/run-product.ts'
import { bodyOf, bundleOf } from './bench-upstream.ts'
import { median, quantile, rounded } from './figures.ts'
import { openTimedClient } from './timed-client.ts'

interface ThroughputOptions {
  product: Product
  endpoints: readonly number[]
  callers: number
  seconds: number
}

/** Runs of four steps from so many callers at once, each of whom sends the next when one is answered. */
export async function measureThroughput(options: ThroughputOptions) {
  const { product, endpoints, callers, seconds } = options
  const client = await openTimedClient(product.url, callers)
  let number = 0
  const send = async () => {
    const reference = `RATE-${callers}-${Date.now()}-${++number}`
    return (await client.post('/api/tax', bundleOf(endpoints, reference))).ms
  }
  try {
    await repeat(send, callers, 1)
    const cpu = cpuMs(product.controlPid())
    const { times, perSecond } = await repeat(send, callers, seconds)
    return {
      'callers at once': callers,
      'runs a second': rounded(perSecond),
      'ms a run, p50': rounded(median(times)),
      'ms a run, p99': rounded(quantile(times, 0.99)),
      'CPU of the server, ms a run': rounded((cpuMs(product.controlPid()) - cpu) / times.length),
    }
  } finally {
    client.close()
  }
}

/** The same calls, straight to the upstream from this process: four after each other. */
export async function measureBareCalls(upstreamUrl: string, callers: number, seconds: number) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: callers })
  const { port } = new URL(upstreamUrl)
  const call = (path: string, body: string) =>
    new Promise<void>((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }
      const options = { host: '127.0.0.1', port, method: 'POST', path, agent, headers }
      const request = http.request(options, (answer) => {
        answer.resume().on('end', resolve)
      })
      request.on('error', reject).end(body)
    })
  const send = async () => {
    const began = performance.now()
    for (const name of ['customer', 'invoice', 'payment', 'receipt'])
      await call(`/${name}`, bodyOf('BARE'))
    return performance.now() - began
  }
  try {
    const { times, perSecond } = await repeat(send, callers, seconds)
    return {
      'callers at once': callers,
      'four bare calls, times a second': rounded(perSecond),
      'ms for the four, p50': rounded(median(times)),
    }
  } finally {
    agent.destroy()
  }
}

/** Each caller sends the next when one is answered. */
async function repeat(send: () => Promise<number>, callers: number, seconds: number) {
  const began = performance.now()
  const end = began + seconds * 1000
  const times: number[] = []
  const callUntil = async () => {
    while (performance.now() < end) times.push(await send())
  }
  await Promise.all(Array.from({ length: callers }, callUntil))
  return { times, perSecond: times.length / ((performance.now() - began) / 1000) }
}

/** CPU time of a process so far; 0 where the system does not show it (only Linux does). */
function cpuMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return 0
  }
}
