import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { runProduct, signIn } from '../e2e/harness/run-product.ts'
import { startPostgres } from '../scripts/databases/throwaway-postgres.mjs'
import { registerSteps, startBenchUpstream } from './runs/bench-upstream.ts'
import { measureBatch, type BatchFigures } from './runs/measure-batch.ts'

// How long a batch of 100,000 inputs of 2 kB takes until it is answered with 202, and how much memory the
// server needs more for it. Nothing of it is sent: its lane is paused.

const [inputs = 100_000, inputBytes = 2_000] = process.argv.slice(2).map(Number)
const goals = { seconds: 30, mebibytes: 200 }
const load = () => os.loadavg()[0]?.toFixed(1)

async function measure(name: string, databaseUrl: string | undefined): Promise<BatchFigures> {
  const folder = mkdtempSync(join(os.tmpdir(), 'gatehouse-bench-batches-'))
  const upstream = await startBenchUpstream()
  try {
    const environment: Record<string, string> = databaseUrl ? { DATABASE_URL: databaseUrl } : {}
    const product = await runProduct({ DATA_DIR: folder, ...environment })
    try {
      const endpoints = await registerSteps(await signIn(product.url), upstream.url)
      const loadBefore = load()
      const figures = await measureBatch(product, { endpoints, folder, inputs, inputBytes })
      console.log(
        `${name}: ${inputs} inputs of ${inputBytes} bytes; load ${loadBefore} to ${load()}`,
      )
      console.table(figures)
      return figures
    } finally {
      await product.end('SIGTERM')
    }
  } finally {
    await upstream.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const cpu = os.cpus()
console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpu.length} × ${cpu[0]?.model}, Node ${process.version}`,
)
const all = [await measure('SQLite', undefined)]
const postgres = await startPostgres({ isDurable: true }).catch((error: Error) => {
  console.log(error.message)
})
if (postgres) {
  try {
    all.push(await measure('PostgreSQL', postgres.url))
  } finally {
    await postgres.stop()
  }
}
const isMissed = ({ stored, memory }: BatchFigures) =>
  stored.seconds > goals.seconds || memory.mebibytes > goals.mebibytes
if (all.some(isMissed)) {
  console.error(`Missed: ${JSON.stringify(goals)}`)
  process.exitCode = 1
}
