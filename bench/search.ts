import os from 'node:os'
import { connect, type Db } from '../apps/server/src/db/connect.ts'
import { isPostgres } from '../apps/server/src/db/dialect.ts'
import { sql } from 'kysely'
import { runProduct } from '../e2e/harness/run-product.ts'
import { startPostgres } from '../scripts/databases/throwaway-postgres.mjs'
import { openMillion, type Engine } from './million/kept-database.ts'
import { measureSearch } from './million/measure-search.ts'
import { measureWordsCost } from './million/measure-words-cost.ts'

// How fast the search is over a million documents, how large its index is, and what it costs runs.
//
//   npm run bench search [runs [questions|cost]]

const runs = Number(process.argv[2] ?? 1_000_000)
const part = process.argv[3]
const goalMs = 100
const load = () => os.loadavg()[0]?.toFixed(1)

/** Of the words, of their list, and of the whole database, in MB. */
async function sizesOf(db: Db) {
  const { rows } = isPostgres(db)
    ? await sql<{ words: number; all: number }>`select
        pg_total_relation_size('text_search') / 1e6 as words,
        pg_database_size(current_database()) / 1e6 as "all"`.execute(db)
    : await sql<{ words: number; all: number }>`select
        (select sum(pgsize) from dbstat where name like 'text_search%') / 1e6 as words,
        (select sum(pgsize) from dbstat) / 1e6 as "all"`.execute(db)
  return {
    'index, MB': Math.round(rows[0]?.words ?? 0),
    'database, MB': Math.round(rows[0]?.all ?? 0),
  }
}

async function measure(engine: Engine): Promise<string[]> {
  const database = await openMillion(engine, runs)
  try {
    const db = connect(database.source)
    console.log(`${engine}: sizes with ${runs} runs`)
    console.table(await sizesOf(db))
    await db.destroy()
    const product = await runProduct(database.environment)
    try {
      const rows = await measureSearch(product.url, runs)
      console.log(`${engine}: GET /api/search over HTTP; load ${load()}`)
      console.table(rows)
      return rows
        .filter((row) => row['p95, ms'] > goalMs)
        .map((row) => `${engine}: ${row.question}`)
    } finally {
      await product.end('SIGTERM')
    }
  } finally {
    await database.close()
  }
}

const cpu = os.cpus()
console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpu.length} × ${cpu[0]?.model}, Node ${process.version}`,
)
const missed: string[] = []
if (part !== 'cost') missed.push(...(await measure('sqlite')), ...(await measure('postgres')))
if (part !== 'questions') {
  console.log(`sqlite: runs a second with and without the search; load ${load()}`)
  console.table(await measureWordsCost(undefined))
  const postgres = await startPostgres({ isDurable: true })
  try {
    console.log(`postgres: runs a second with and without the search; load ${load()}`)
    console.table(await measureWordsCost(postgres.url))
  } finally {
    await postgres.stop()
  }
}
if (missed.length > 0) {
  console.error(`Missed: ${missed.join('; ')} (p95 below ${goalMs} ms)`)
  process.exitCode = 1
}
