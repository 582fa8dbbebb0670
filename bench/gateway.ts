import os from 'node:os'
import { measure, type Measured } from './gateway/measure.ts'
import { benchPath, startOurs } from './gateway/our-gateway.ts'
import {
  startExpressGateway,
  startHaproxy,
  startNginxProxy,
  startNodePeer,
  startUpstream,
  type Peer,
} from './gateway/peers.ts'

// CPU per request, throughput, latency and memory of the gateway, beside other proxies before the same
// upstream, in one run. Needs nginx, HAProxy and wrk (Debian's packages) and, once,
// `npm ci --prefix tools/bench --ignore-scripts`. Rounds alternate, so that a busy moment hits all alike.

const [rounds = 3, seconds = 5, manyEndpoints = 10_000] = process.argv.slice(2).map(Number)
const connections = 64
const goals = { cpuUs: 32, timesNginx: 2.5, manyEndpointsPercent: 5, memoryMiB: 120 }

const median = (numbers: number[]) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0

function summary(runs: Measured[]): Measured {
  const of = (field: Exclude<keyof Measured, 'name'>) => median(runs.map((run) => run[field]))
  return {
    name: runs[0]?.name ?? '',
    cpuUs: of('cpuUs'),
    requestsPerSecond: of('requestsPerSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    errors: runs.reduce((total, run) => total + run.errors, 0),
    memoryMiB: Math.max(...runs.map((run) => run.memoryMiB)),
  }
}

const upstream = await startUpstream()
const peers: Peer[] = []
try {
  peers.push(await startNginxProxy(upstream.url), await startHaproxy(upstream.url))
  for (const name of ['hello', 'undici-dispatch', 'fastify-http-proxy', 'http-proxy'])
    peers.push(await startNodePeer(name, `${name}.mjs`, upstream.url))
  peers.push(await startExpressGateway(upstream.url))
  const few = await startOurs(10, upstream.url)
  peers.push(few)
  const many = await startOurs(manyEndpoints, upstream.url)
  peers.push(many)

  const load = { connections, path: benchPath }
  for (const peer of peers) measure(peer, { ...load, seconds: 2 })
  const runs = new Map<Peer, Measured[]>(peers.map((peer) => [peer, []]))
  for (let round = 0; round < rounds; round++)
    for (const [peer, measured] of runs) measured.push(measure(peer, { ...load, seconds }))

  const results = [...runs.values()].map(summary)
  const nginx = results[0]?.cpuUs ?? 0
  const [cpu] = os.cpus()
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${os.cpus().length} × ${cpu?.model}, Node ${process.version}; ${connections} connections, ${rounds} × ${seconds} s; load ${os.loadavg()[0]?.toFixed(1)}`,
  )
  console.table(
    results.map((result) => ({
      proxy: result.name,
      'CPU µs/request': Number(result.cpuUs.toFixed(1)),
      '× nginx': Number((result.cpuUs / nginx).toFixed(2)),
      'requests/s': Math.round(result.requestsPerSecond),
      'p50 ms': result.p50Ms,
      'p99 ms': result.p99Ms,
      'memory MiB': result.memoryMiB,
      errors: result.errors,
    })),
  )
  const [small, large] = results.slice(-2)
  if (small && large) {
    const more = (large.cpuUs / small.cpuUs - 1) * 100
    console.log(`${manyEndpoints} endpoints cost ${more.toFixed(1)} % more CPU than 10`)
    const isMet =
      small.cpuUs < goals.cpuUs &&
      small.cpuUs / nginx < goals.timesNginx &&
      more < goals.manyEndpointsPercent &&
      Math.max(small.memoryMiB, large.memoryMiB) < goals.memoryMiB
    if (!isMet) {
      console.error(`Missed: ${JSON.stringify(goals)}`)
      process.exitCode = 1
    }
  }
} finally {
  for (const peer of peers) await peer.stop()
  await upstream.stop()
}
