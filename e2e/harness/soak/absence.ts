import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openSession, signIn, type Product } from '../run-product.ts'
import { lineTo } from './database-line.ts'
import { productProcesses } from '../product-processes.ts'
import { figuresOf } from './process-figures.ts'
import { setUpSoak } from './set-up-soak.ts'
import { hasDashboard, startPlace, type SoakPlace } from './soak-places.ts'

/** `silent`: connections stay and nothing answers, as where PostgreSQL is frozen or cut off. `gone`: they break. */
export type Absence = 'silent' | 'gone'

interface AbsenceOptions {
  place: Exclude<SoakPlace, 'sqlite'>
  databaseUrl: string
  absence: Absence
  /** How long PostgreSQL is away, and how often is looked. */
  awayMs: number
  everyMs: number
  /** For as long it is waited, afterwards, for descriptors to become as few as before. */
  restMaxMs: number
}

interface AbsenceReport {
  /** Open descriptors of each process: before, at each look while PostgreSQL was away, and afterwards. */
  descriptors: Record<string, number[]>
  /** Calls of the gateway that were not answered with 200 meanwhile. */
  refused: number
  calls: number
  /** What each server logged as a warning or an error since PostgreSQL was taken away. */
  troubles: Record<string, string[]>
}

/** Takes PostgreSQL away from an installation that is asked all the time, and counts files and sockets of each process. */
export async function measureAbsence(options: AbsenceOptions): Promise<AbsenceReport> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-absence-'))
  const line = await lineTo(options.databaseUrl)
  let products = new Map<string, Product>()
  try {
    products = await startPlace(options.place, folder, { databaseUrl: line.url })
    const load = await startLoad(products)
    const names = new Map(
      [...products].flatMap(([name, { process }]) =>
        productProcesses(process.pid ?? 0).map((each) => [`${name}, ${each.name}`, each.pid]),
      ),
    )
    const descriptors: AbsenceReport['descriptors'] = {}
    const look = () => {
      for (const [name, pid] of names)
        (descriptors[name] ??= []).push(figuresOf(pid)?.descriptors ?? 0)
    }
    await delay(options.everyMs)
    look()
    const cutAt = new Date().toISOString()
    await line.cut(options.absence)
    for (let at = 0; at < options.awayMs; at += options.everyMs) {
      await delay(options.everyMs)
      look()
    }
    await line.mend()
    await delay(options.restMaxMs)
    look()
    const troubles = Object.fromEntries(
      [...products.keys()].map((name) => [name, troublesSince(cutAt, join(folder, name))]),
    )
    return { descriptors, troubles, ...(await load.stop()) }
  } finally {
    await Promise.all([...products.values()].map((product) => product.end('SIGTERM')))
    await line.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The texts of warnings and errors in the logs of a server, without the access log of its gateway. */
function troublesSince(since: string, dataDir: string): string[] {
  return ['admin', 'runs'].flatMap((part) => {
    const place = join(dataDir, 'logs', part)
    const files = existsSync(place) ? readdirSync(place) : []
    const lines = files.flatMap((file) =>
      readFileSync(join(place, file), 'utf8').trim().split('\n'),
    )
    return lines.flatMap((line) => {
      const { time, level, msg } = JSON.parse(line || '{}') as Record<string, string | undefined>
      return time && time >= since && level !== 'info' ? [msg ?? ''] : []
    })
  })
}

/** Clients, and people with the dashboard open, who go on asking. */
async function startLoad(named: ReadonlyMap<string, Product>) {
  const products = [...named.values()]
  const servers: { url: string; token: string }[] = []
  for (const [name, { url }] of named)
    if (hasDashboard(name)) servers.push({ url, token: await openSession(url) })
  await setUpSoak(await signIn(servers[0]!.url), 'http://127.0.0.1:9')
  const stopped = new AbortController()
  const sums = { refused: 0, calls: 0 }
  const repeat = async (everyMs: number, work: () => Promise<unknown>) => {
    while (!stopped.signal.aborted) {
      await work().catch(() => {})
      await delay(everyMs, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }
  const ask = async (url: string, token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    await (await fetch(url, { headers, signal: AbortSignal.timeout(10_000) })).arrayBuffer()
  }
  const running = servers.flatMap(({ url, token }) =>
    ['/api/home', '/api/runs', '/api/nodes', '/healthz', '/api/apis'].map((path) =>
      repeat(1_000, () => ask(`${url}${path}`, token)),
    ),
  )
  const called = products.flatMap(({ gatewayUrl }) =>
    gatewayUrl === '' ? [] : [`${gatewayUrl}/soak/custom`],
  )
  // A change reaches a gateway that runs alone a moment after it was kept.
  for (const url of called) while ((await fetch(url)).status !== 200) await delay(50)
  for (const url of called)
    running.push(
      repeat(200, async () => {
        sums.calls++
        const answer = await fetch(url)
        await answer.arrayBuffer()
        if (answer.status !== 200) sums.refused++
      }),
    )
  return {
    stop: async () => {
      stopped.abort()
      await Promise.all(running)
      return sums
    },
  }
}

/** What a server may open beside what it had: all connections of its pool, and one that listens. */
const poolMax = 11
const noise = 2

/** Whether the counts still grow in the second half of an absence, or become more than a full pool explains. */
export function growsWhileAway(counts: readonly number[]): boolean {
  const away = counts.slice(1, -1)
  const early = Math.max(...away.slice(0, Math.ceil(away.length / 2)))
  // What was opened for a moment is closed again; what leaks stays.
  const late = Math.min(...away.slice(-2))
  return late > early + noise || Math.max(...counts) > counts[0]! + poolMax + noise
}
