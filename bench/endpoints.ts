import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import type { DatabaseSource } from '../apps/server/src/db/connect.ts'
import { runProduct } from '../e2e/harness/run-product.ts'
import { startPostgres } from '../scripts/databases/throwaway-postgres.mjs'
import { fillEndpoints } from './endpoints/fill-endpoints.ts'
import { fillTraffic } from './endpoints/fill-traffic.ts'
import { makeFirst, measureCreation } from './endpoints/measure-creation.ts'
import { measureLists } from './endpoints/measure-lists.ts'

// What an endpoint costs to create, and how fast the lists of endpoints and their traffic are, with so many there: the whole product,
// with two workers, over HTTP.
//
//   npm run bench endpoints [sqlite|postgres [most [lists]]]
//
// With `lists` the lists alone.

const [chosen, most = '100000', what] = process.argv.slice(2)
const engines = ['sqlite', 'postgres'].filter((each) => !chosen || each === chosen)
const created =
  what === 'lists' ? [] : [0, 1_000, 5_000, 10_000].filter((count) => count <= Number(most))
const creationGoalMs = 10
const listGoalMs = 50
const load = () => os.loadavg()[0]?.toFixed(1)
const [cpu] = os.cpus()
console.log(`${os.cpus().length} × ${cpu?.model}, Node ${process.version}`)

for (const engine of engines) {
  const folder = mkdtempSync(join(os.tmpdir(), 'gatehouse-bench-endpoints-'))
  const postgres = engine === 'postgres' ? await startPostgres({ isDurable: true }) : undefined
  const environment = {
    DATA_DIR: folder,
    GATEWAY_WORKERS: '2',
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
  }
  const source: DatabaseSource = postgres
    ? { kind: 'postgres', url: postgres.url }
    : { kind: 'file', folder }
  const running = async <T>(work: (url: string) => Promise<T>): Promise<T> => {
    const product = await runProduct(environment)
    try {
      return await work(product.url)
    } finally {
      await product.end('SIGTERM')
    }
  }
  try {
    await running(makeFirst)
    const rows = []
    for (const endpoints of created) {
      await fillEndpoints(source, endpoints)
      rows.push({ endpoints, load: load(), ...(await running((url) => measureCreation(url))) })
    }
    console.log(engine)
    console.table(rows)
    const more = (rows.at(-1)?.['a creation, p50 ms'] ?? 0) - (rows[0]?.['a creation, p50 ms'] ?? 0)
    if (more > creationGoalMs) missed(`${engine}: a creation takes ${more.toFixed(1)} ms more`)
    await fillEndpoints(source, Number(most))
    await fillTraffic(source)
    const lists = await running(measureLists)
    console.log(`${engine}: lists of ${most} endpoints, load ${load()}`)
    console.table(lists)
    for (const row of lists) if (row['p50, ms'] > listGoalMs) missed(`${engine}: ${row.list}`)
  } finally {
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function missed(what: string): void {
  console.error(`Missed: ${what}`)
  process.exitCode = 1
}
