import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openSession, signIn, type Product } from '../run-product.ts'
import { freePort } from '../free-port.ts'
import { openLiveHeap, type LiveHeap } from './live-heap.ts'
import { productProcesses } from '../product-processes.ts'
import { figuresOf } from './process-figures.ts'
import { setUpSoak } from './set-up-soak.ts'
import { meanOfThird, slopePerHour, type Sample } from './slope.ts'
import { startSoakLoad } from './soak-load.ts'
import { hasDashboard, startPlace, type Backends, type SoakPlace } from './soak-places.ts'
import { runSoakUpstream } from './soak-upstream.ts'

interface SoakOptions {
  place: SoakPlace
  /** Both where the place is not SQLite. */
  backends?: Backends
  warmUpMs: number
  durationMs: number
  sampleEveryMs: number
  pace: number
  /** After the load, for descriptors to become as few as before it. */
  restMaxMs: number
}

interface ProcessReport {
  name: string
  /** Means of the second and of the last third of the time. */
  rssSecondMiB: number
  rssLastMiB: number
  rssSlopeMiBPerHour: number
  /** What is left after a full collection, of the server's own process. */
  heapLastMiB: number | null
  heapSlopeMiBPerHour: number | null
  descriptorsSlopePerHour: number
  /** Without load: after warming up, and at the end. */
  restingBefore: number
  restingAfter: number
}

export interface SoakReport {
  place: SoakPlace
  counts: Record<string, number>
  /** Work that failed, as on a machine that is too busy. */
  faults: string[]
  /** Processes that have ended. */
  ended: string[]
  processes: ProcessReport[]
}

interface Watched {
  name: string
  pid: number
  /** Of a server; a worker has no inspector. */
  liveHeap: LiveHeap | undefined
  restingBefore: number
  rss: Sample[]
  heap: Sample[]
  descriptors: Sample[]
}

/** A full collection holds the process up for a moment. */
const heapEveryMs = 60_000

/** More than this above the level before the load is growth: a pool may open its last connections late. */
export const restingSlack = 6

/** Keeps an installation busy, and measures whether memory and descriptors of its processes grow. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { place, backends, pace, warmUpMs, restMaxMs } = options
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-soak-'))
  const upstream = await runSoakUpstream()
  let products = new Map<string, Product>()
  let heaps: LiveHeap[] = []
  try {
    const ports: number[] = []
    products = await startPlace(place, folder, backends, async () => {
      const port = await freePort()
      ports.push(port)
      return { NODE_OPTIONS: `--inspect-port=127.0.0.1:${port}` }
    })
    const all = [...products.values()]
    // Opens its inspector.
    for (const product of all) process.kill(product.controlPid(), 'SIGUSR1')
    heaps = await Promise.all(ports.map(openLiveHeap))
    const withDashboard = [...products].filter(([name]) => hasDashboard(name))
    const servers = await Promise.all(
      withDashboard.map(async ([, { url }]) => {
        return { url, token: await openSession(url), call: await signIn(url) }
      }),
    )
    const setUp = await setUpSoak(servers[0]!.call, upstream.url)
    const gatewayUrls = all.map(({ gatewayUrl }) => gatewayUrl).filter(Boolean)
    const targets = { servers, gatewayUrls, setUp, pace }
    const warmUp = startSoakLoad(targets)
    await delay(warmUpMs)
    await warmUp.stop()
    const watched = await watchAtRest(products, heaps, restMaxMs)
    const load = startSoakLoad(targets)
    await sample(watched, options)
    await load.stop()
    const processes = await reportAtRest(watched, restMaxMs)
    const faults = [...warmUp.faults, ...load.faults]
    return { place, counts: load.counts, faults, ended: endedOf(watched), processes }
  } finally {
    for (const heap of heaps) heap.close()
    await Promise.all([...products.values()].map((product) => product.end('SIGTERM')))
    await upstream.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The processes of the products; the count of their descriptors has stood still for a while. */
async function watchAtRest(
  products: ReadonlyMap<string, Product>,
  heaps: readonly LiveHeap[],
  maxMs: number,
): Promise<Watched[]> {
  const watched = [...products].flatMap(([name, { process }], place) =>
    productProcesses(process.pid ?? 0).map((each) => ({
      name: `${name}, ${each.name}`,
      pid: each.pid,
      liveHeap: each.name === 'control plane' ? heaps[place] : undefined,
      restingBefore: Number.NaN,
      rss: [],
      heap: [],
      descriptors: [],
    })),
  )
  const count = () => watched.map(({ pid }) => figuresOf(pid)?.descriptors ?? 0)
  let before = count()
  for (const endsAt = performance.now() + maxMs; performance.now() < endsAt;) {
    await delay(Math.min(10_000, maxMs / 3))
    const now = count()
    if (now.every((value, at) => value === before[at])) break
    before = now
  }
  return watched.map((each, at) => ({ ...each, restingBefore: before[at] ?? 0 }))
}

async function sample(watched: Watched[], { durationMs, sampleEveryMs }: SoakOptions) {
  const beganAt = performance.now()
  let heapAt = 0
  for (let at = 0; at < durationMs; at = performance.now() - beganAt) {
    for (const each of watched) {
      const figures = figuresOf(each.pid)
      if (!figures) continue
      each.rss.push([at, figures.rssMiB])
      each.descriptors.push([at, figures.descriptors])
      if (each.liveHeap && at >= heapAt) each.heap.push([at, await each.liveHeap.measureMiB()])
    }
    if (at >= heapAt) heapAt = at + heapEveryMs
    await delay(sampleEveryMs)
  }
}

/** What they hold without load; waits until that is what they held before, or for the given time. */
async function reportAtRest(watched: readonly Watched[], maxMs: number): Promise<ProcessReport[]> {
  const count = ({ pid }: Watched) => figuresOf(pid)?.descriptors ?? 0
  for (const endsAt = performance.now() + maxMs; performance.now() < endsAt; await delay(500))
    if (watched.every((each) => count(each) <= each.restingBefore)) break
  return watched.map((each) => ({
    name: each.name,
    rssSecondMiB: meanOfThird(each.rss, 1),
    rssLastMiB: meanOfThird(each.rss, 2),
    rssSlopeMiBPerHour: slopePerHour(each.rss),
    heapLastMiB: each.liveHeap ? meanOfThird(each.heap, 2) : null,
    heapSlopeMiBPerHour: each.liveHeap ? slopePerHour(each.heap) : null,
    descriptorsSlopePerHour: slopePerHour(each.descriptors),
    restingBefore: each.restingBefore,
    restingAfter: count(each),
  }))
}

const endedOf = (watched: readonly Watched[]) =>
  watched.filter(({ pid }) => !figuresOf(pid)).map(({ name }) => `${name} has ended`)
