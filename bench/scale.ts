import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { connect, type DatabaseSource } from '../apps/server/src/db/connect.ts'
import { fillLarge, largeSizes } from '../apps/server/test/large/fill-large.ts'
import { runProduct, type Product } from '../e2e/harness/run-product.ts'
import { startPostgres } from '../scripts/databases/throwaway-postgres.mjs'
import { makeFirst } from './endpoints/measure-creation.ts'
import { openMillion, type Engine } from './million/kept-database.ts'
import { goals } from './scale/goals.ts'
import { measureChanges } from './scale/measure-changes.ts'
import { measureDiff } from './scale/measure-diff.ts'
import { measureScaleLists } from './scale/measure-scale-lists.ts'
import { measureStart } from './scale/measure-start.ts'

// A large installation: 20,000 endpoints of 1,000 APIs, 500 roles and 2,000 users, and, where they are asked for, a
// million runs. Start, changes, lists, the comparison of a document with 5,000 APIs, and the memory of a worker: the
// whole product, with two workers, over HTTP.
//
//   npm run bench scale [sqlite|postgres [runs]]

const [chosen, runs = '0'] = process.argv.slice(2)
const engines = (['sqlite', 'postgres'] as const).filter((each) => !chosen || each === chosen)
const [cpu] = os.cpus()
console.log(`${os.cpus().length} × ${cpu?.model}, Node ${process.version}`)

for (const engine of engines) {
  const database = await openDatabase(engine)
  const environment = { ...database.environment, GATEWAY_WORKERS: '2' }
  const running = async <T>(work: (product: Product) => Promise<T>): Promise<T> => {
    const product = await runProduct(environment)
    try {
      return await work(product)
    } finally {
      await product.end('SIGTERM')
    }
  }
  try {
    await running(({ url }) => makeFirst(url))
    await fill(database.source, largeSizes)
    tell(`${engine}: starts`, await measureStart(environment))
    tell(`${engine}: changes`, await running(measureChanges))
    tell(`${engine}: lists`, await running(measureScaleLists))
    await fill(database.source, { ...largeSizes, apis: 5_000 })
    tell(`${engine}: comparison of 5,000 APIs`, await running(measureDiff))
  } finally {
    await database.close()
  }
}

async function fill(source: DatabaseSource, wanted: typeof largeSizes): Promise<void> {
  const db = connect(source)
  try {
    await fillLarge(db, wanted)
  } finally {
    await db.destroy()
  }
}

async function openDatabase(engine: Engine) {
  if (Number(runs) > 0) return openMillion(engine, Number(runs))
  const folder = mkdtempSync(join(os.tmpdir(), 'gatehouse-bench-scale-'))
  const postgres = engine === 'postgres' ? await startPostgres({ isDurable: true }) : undefined
  const source: DatabaseSource = postgres
    ? { kind: 'postgres', url: postgres.url }
    : { kind: 'file', folder }
  const environment: Record<string, string> = {
    DATA_DIR: folder,
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
  }
  const close = async () => {
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { source, environment, close }
}

interface Row {
  what: string
  figure: number
  /** What the figure is, and is held against; null: nothing. */
  goal: keyof typeof goals | null
}

/** Prints what was measured. What is over its goal is named, and the exit code is 1. */
function tell(title: string, rows: readonly Row[]): void {
  console.log(`${title}, load ${os.loadavg()[0]?.toFixed(1)}`)
  console.table(rows)
  for (const { what, goal, figure } of rows) {
    if (goal === null || figure <= goals[goal]) continue
    console.error(`Missed: ${what}: ${figure}, ${goal}, at most ${goals[goal]}`)
    process.exitCode = 1
  }
}
