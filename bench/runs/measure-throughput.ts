import { readFileSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import pg from 'pg'
import type { Product } from '../../e2e/harness/run-product.ts'
import { bodyOf, bundleOf } from './bench-upstream.ts'
import { median, quantile, rounded } from './figures.ts'
import { openTimedClient } from './timed-client.ts'

export interface Sending {
  product: Product
  /** One of each step. */
  endpoints: readonly number[]
  /** Undefined for SQLite, which works in the server's own process. */
  databaseUrl: string | undefined
}

interface ThroughputOptions extends Sending {
  callers: number
  seconds: number
}

/** Runs of these steps from so many callers at once, each of whom sends the next when one is answered. */
export async function measureThroughput(options: ThroughputOptions) {
  const { product, endpoints, callers, seconds, databaseUrl } = options
  const client = await openTimedClient(product.url, callers)
  let number = 0
  const send = async () => {
    const reference = `RATE-${callers}-${Date.now()}-${++number}`
    return (await client.post('/api/tax', bundleOf(endpoints, reference))).ms
  }
  try {
    // Until most of the code is compiled: on a busy machine that takes long.
    for (let sent = 0; sent < 500;) sent += (await repeat(send, callers, 1)).times.length
    // As autovacuum does within its first minute: plans made for empty tables read every row.
    if (databaseUrl !== undefined) await query(databaseUrl, 'analyze')
    const database = databaseUrl === undefined ? undefined : await postmasterOf(databaseUrl)
    const cpu = cpuMs(product.controlPid())
    const ofDatabase = cpuOfAll(database)
    const { times, perSecond } = await repeat(send, callers, seconds)
    const perRun = (before: number, after: number) => rounded((after - before) / times.length)
    return {
      'callers at once': callers,
      'runs a second': rounded(perSecond),
      'ms a run, p50': rounded(median(times)),
      'ms a run, p99': rounded(quantile(times, 0.99)),
      'CPU of the server, ms a run': perRun(cpu, cpuMs(product.controlPid())),
      ...(database === undefined
        ? {}
        : { 'CPU of the database, ms a run': perRun(ofDatabase, cpuOfAll(database)) }),
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

/** The process of a PostgreSQL on this machine from which all others come. */
async function postmasterOf(url: string): Promise<number> {
  const [row] = await query<{ data_directory: string }>(url, 'show data_directory')
  const file = join(row?.data_directory ?? '', 'postmaster.pid')
  return Number(readFileSync(file, 'utf8').split('\n')[0])
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** CPU time of a process and its children so far. */
function cpuOfAll(parent: number | undefined): number {
  if (parent === undefined) return 0
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ')
  return [parent, ...children.map(Number)].reduce((sum, pid) => sum + cpuMs(pid), 0)
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
