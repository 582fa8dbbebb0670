import os from 'node:os'
import { runProduct } from '../e2e/harness/run-product.ts'
import { squeezeDocuments } from './home/squeeze-documents.ts'
import { changeDocuments, countedAll, measureViews } from './home/measure-home.ts'
import { measureHomeBeside } from './home/measure-beside.ts'
import { startPostgres } from '../scripts/databases/throwaway-postgres.mjs'
import { openMillion, type Engine } from './million/kept-database.ts'

// How fast the home screen and the long lists are with a million runs and documents, over HTTP. The
// documents are moved into 20 days, 50,000 a day.
//
//   npm run bench home [sqlite|postgres [runs]]
//   npm run bench home beside [sqlite|postgres [seconds]]    home alone, on an empty history, beside a batch of 20,000

const isBeside = process.argv[2] === 'beside'
const chosen = process.argv[isBeside ? 3 : 2]
const runs = Number(process.argv[3] ?? 1_000_000)
const engines: Engine[] =
  chosen === 'sqlite' || chosen === 'postgres' ? [chosen] : ['sqlite', 'postgres']
const goalMs = 50
/** Of the p95. */
const besideGoalMs = 100
const load = () => os.loadavg()[0]?.toFixed(1)
const cpu = os.cpus()
console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpu.length} × ${cpu[0]?.model}, Node ${process.version}`,
)

for (const engine of isBeside ? engines : []) {
  const postgres = engine === 'postgres' ? await startPostgres({ isDurable: true }) : undefined
  try {
    const seconds = Number(process.argv[4] ?? 60)
    const { rows, batch } = await measureHomeBeside({ databaseUrl: postgres?.url, seconds })
    console.log(`${engine}; load ${load()}; the batch at the end: ${batch}`)
    console.table(rows)
    for (const row of rows)
      if (row['home p95, ms'] > besideGoalMs) {
        console.error(`Missed: ${engine}: home, beside it ${row['beside it']}`)
        process.exitCode = 1
      }
  } finally {
    await postgres?.stop()
  }
}

for (const engine of isBeside ? [] : engines) {
  const database = await openMillion(engine, runs)
  try {
    // It brings the data set up to date.
    await (await runProduct(database.environment)).end('SIGTERM')
    await squeezeDocuments(database.source, 20)
    const product = await runProduct(database.environment)
    try {
      const seconds = await countedAll(database.source)
      console.log(`${engine}: counted after ${seconds} s; load ${load()}`)
      const rows = await measureViews(product.url)
      await changeDocuments(database.source, 10_000)
      rows.push(...(await measureViews(product.url, 'just after 10,000 documents changed')))
      console.table(rows)
      for (const row of rows)
        if (row['p50, ms'] > goalMs) {
          console.error(`Missed: ${engine}: ${row.view}`)
          process.exitCode = 1
        }
    } finally {
      await product.end('SIGTERM')
    }
  } finally {
    await database.close()
  }
}
