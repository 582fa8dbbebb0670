import { randomUUID } from 'node:crypto'
import os from 'node:os'
import { runTokenAuthority } from '@gatehouse/upstream/token-authority'
import { measure, median, summary, type Measured } from './gateway/measure.ts'
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
const goals = {
  cpuUs: 32,
  timesNginx: 2.5,
  manyEndpointsPercent: 5,
  memoryMiB: 120,
  /** More than a static token, per request. */
  obtainedTokenUs: 1,
}

/** What an obtained token costs more than a static one: of the fastest round of each, and of each round. */
function compareSignIns(fixed: readonly Measured[], obtained: readonly Measured[]) {
  const fastest = (runs: readonly Measured[]) => Math.min(...runs.map(({ cpuUs }) => cpuUs))
  const pairs = obtained.map((run, round) => run.cpuUs - (fixed[round]?.cpuUs ?? 0))
  return {
    rounds: pairs.length,
    fastest: [fastest(fixed), fastest(obtained)],
    median: [summary([...fixed]).cpuUs, summary([...obtained]).cpuUs],
    more: fastest(obtained) - fastest(fixed),
    moreInMedianRound: median(pairs),
  }
}

const upstream = await startUpstream()
const authority = await runTokenAuthority()
const peers: Peer[] = []
let signingIn: Peer | undefined
try {
  peers.push(await startNginxProxy(upstream.url), await startHaproxy(upstream.url))
  for (const name of ['hello', 'undici-dispatch', 'fastify-http-proxy', 'http-proxy'])
    peers.push(await startNodePeer(name, `${name}.mjs`, upstream.url))
  peers.push(await startExpressGateway(upstream.url))
  const ours = { endpoints: 10, upstream: upstream.url }
  const few = await startOurs(ours)
  peers.push(few)
  const many = await startOurs({ ...ours, endpoints: manyEndpoints })
  peers.push(many)
  // Both in one worker: two processes differ by more than what is looked for.
  signingIn = await startOurs({
    ...ours,
    apis: {
      // As long as the token that is obtained.
      fixed: { api: { credential: { kind: 'bearer', token: `token-1-${randomUUID()}` } } },
      obtained: {
        api: {
          credential: {
            kind: 'oauth2_client_credentials',
            token_url: authority.tokenUrl,
            client_id: 'client-1',
            client_secret: 'client-secret-of-test',
          },
        },
      },
    },
  })
  const ofSignIns = signingIn
  const signIns = [
    { name: 'Gatehouse, static upstream token', path: '/fixed/item/1' },
    { name: 'Gatehouse, obtained upstream token', path: '/obtained/item/1' },
  ].map(({ name, path }) => ({ peer: { ...ofSignIns, name }, path, measured: [] as Measured[] }))

  const load = { connections, path: benchPath }
  for (const peer of peers) measure(peer, { ...load, seconds: 2 })
  const runs = new Map<Peer, Measured[]>(peers.map((peer) => [peer, []]))
  for (let round = 0; round < rounds; round++)
    for (const [peer, measured] of runs) measured.push(measure(peer, { ...load, seconds }))

  for (let round = -2; round < rounds * 5; round++) {
    for (const { peer, path, measured } of round % 2 ? signIns : signIns.toReversed()) {
      const run = measure(peer, { connections, path, seconds: 1 })
      if (round >= 0) measured.push(run)
    }
  }

  const [fixed = [], obtained = []] = signIns.map(({ measured }) => measured)
  const results = [...runs.values(), fixed, obtained].map(summary)
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
  const [small, large] = [few, many].map((peer) => summary(runs.get(peer) ?? [])) as [
    Measured,
    Measured,
  ]
  const more = (large.cpuUs / small.cpuUs - 1) * 100
  console.log(`${manyEndpoints} endpoints cost ${more.toFixed(1)} % more CPU than 10`)
  const difference = compareSignIns(fixed, obtained)
  console.log('an obtained token beside a static one, µs per request', difference)
  const isMet =
    small.cpuUs < goals.cpuUs &&
    small.cpuUs / nginx < goals.timesNginx &&
    more < goals.manyEndpointsPercent &&
    difference.more < goals.obtainedTokenUs &&
    Math.max(small.memoryMiB, large.memoryMiB) < goals.memoryMiB
  if (!isMet) {
    console.error(`Missed: ${JSON.stringify(goals)}`)
    process.exitCode = 1
  }
} finally {
  for (const peer of peers) await peer.stop()
  await signingIn?.stop()
  await upstream.stop()
  await authority.stop()
}
