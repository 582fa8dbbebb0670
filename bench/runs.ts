import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import type { DatabaseSource } from '../apps/server/src/db/connect.ts'
import { runProduct, signIn } from '../e2e/harness/run-product.ts'
import { startPostgres } from '../scripts/databases/throwaway-postgres.mjs'
import { registerSteps, startBenchUpstream } from './runs/bench-upstream.ts'
import { fillAudit } from './runs/fill-audit.ts'
import { fillHistory } from './runs/fill-history.ts'
import { measureBeside } from './runs/measure-beside.ts'
import { measureHistory } from './runs/measure-history.ts'
import { measureOverhead } from './runs/measure-overhead.ts'
import { measureBareCalls, measureThroughput, type Sending } from './runs/measure-throughput.ts'

// What the ledger costs: per step, beside bare calls of the same upstream; how many runs it takes a
// second; how fast the history of 300,000 runs is, their documents, and an audit trail of 1,000,000
// events. On SQLite and, where it is found, on PostgreSQL, both with every commit on the disk.
//
//   npm run bench runs [runs [repetitions [seconds [events]]]]
//   npm run bench runs volume [sqlite|postgres|both [seconds [steps [callers]]]]
//                                      runs a second alone, on an empty history

const isVolume = process.argv[2] === 'volume'
const only = isVolume ? process.argv[3] : undefined
const [volumeSeconds = 10, steps = 4, ...chosenCallers] = isVolume
  ? process.argv.slice(4).map(Number)
  : []
const callersAtOnce = chosenCallers.length > 0 ? chosenCallers : [1, 8, 32]
const [runs = 300_000, repetitions = 300, seconds = 5, events = 1_000_000] = isVolume
  ? [0, 0, volumeSeconds, 0]
  : process.argv.slice(2).map(Number)
const goals = { overheadMs: 3, historyMs: 50 }

const load = () => os.loadavg()[0]?.toFixed(1)

async function measure(name: string, databaseUrl: string | undefined): Promise<string[]> {
  const folder = mkdtempSync(join(os.tmpdir(), 'gatehouse-bench-runs-'))
  const environment: Record<string, string> = databaseUrl ? { DATABASE_URL: databaseUrl } : {}
  const upstream = await startBenchUpstream()
  const missed: string[] = []
  try {
    const product = await runProduct({ DATA_DIR: folder, ...environment })
    let endpoints: number[]
    try {
      endpoints = await registerSteps(await signIn(product.url), upstream.url)
      const sending = { product, endpoints: endpoints.slice(0, steps), databaseUrl }
      if (isVolume) return await measureRates(name, sending, upstream.url)
      const source: DatabaseSource = databaseUrl
        ? { kind: 'postgres', url: databaseUrl }
        : { kind: 'file', folder }
      await fillHistory(source, runs, endpoints)
      await fillAudit(source, events)
      console.log(
        `\n${name}: history of ${runs} runs and ${events} audit events, over HTTP; load ${load()}`,
      )
      const history = await measureHistory(product.url, runs)
      console.table(history)
      // The slowest of fifty calls show the other load of the machine.
      for (const { view, ...times } of history)
        if (times['half, ms'] > goals.historyMs) missed.push(`${name}: ${view}`)

      console.log(`${name}: GET /api/auth, alone and while two callers search; load ${load()}`)
      console.table(await measureBeside(product.url))

      await measureRates(name, sending, upstream.url)
    } finally {
      await product.end('SIGTERM')
    }
    console.log(`${name}: overhead, ${repetitions} times in turns; load ${load()}`)
    const overhead = await measureOverhead({
      folder,
      environment,
      endpoints,
      upstreamUrl: upstream.url,
      repetitions,
    })
    console.log(overhead)
    if (!databaseUrl && overhead['overhead per step, median ms'] > goals.overheadMs)
      missed.push(`${name}: overhead`)
  } finally {
    await upstream.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return missed
}

/** Runs a second, and what the same calls are without runs. */
async function measureRates(
  name: string,
  sending: Sending,
  upstreamUrl: string,
): Promise<string[]> {
  console.log(`${name}: runs of ${steps} submits, ${seconds} s each; load ${load()}`)
  const rates = []
  for (const callers of callersAtOnce)
    rates.push(await measureThroughput({ ...sending, callers, seconds }))
  console.table(rates)
  console.log(await measureBareCalls(upstreamUrl, 32, seconds))
  return []
}

const cpu = os.cpus()
console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpu.length} × ${cpu[0]?.model}, Node ${process.version}, load ${load()}`,
)
const missed = only === 'postgres' ? [] : await measure('SQLite', undefined)
const postgres =
  only === 'sqlite'
    ? undefined
    : await startPostgres({ isDurable: true }).catch((error: Error) => {
        console.log(error.message)
      })
if (postgres) {
  try {
    missed.push(...(await measure('PostgreSQL', postgres.url)))
  } finally {
    await postgres.stop()
  }
}
if (missed.length > 0) {
  console.error(`Missed: ${missed.join('; ')} (${JSON.stringify(goals)})`)
  process.exitCode = 1
}
