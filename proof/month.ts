import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { simulateMonth } from '../apps/server/test/simulated-month/simulate-month.ts'
import { startPostgres } from '../scripts/databases/throwaway-postgres.mjs'
import type { DatabaseSource } from '../apps/server/src/db/connect.ts'

// A month of runs with the retention of the archive, night by night, by a clock that the proof moves: sizes and times,
// and nothing is lost; on SQLite, then on PostgreSQL.
// npm run proof month -- [runs a day] [days] [sqlite | postgres]
const [runsOfDay = 50_000, days = 30] = process.argv.slice(2, 4).map(Number)
const only = process.argv[4]
const home = mkdtempSync(join(tmpdir(), 'gatehouse-month-'))
let faults = 0

async function prove(name: string, source: DatabaseSource): Promise<void> {
  const folder = join(home, `archive-of-${name}`)
  mkdirSync(folder)
  const report = await simulateMonth({ source, folder, runsOfDay, days })
  console.log(name)
  console.table(report.nights)
  console.log({ ...report, nights: report.nights.length })
  faults += report.faults.length
}

try {
  if (only !== 'postgres') {
    const folder = join(home, 'data')
    mkdirSync(folder)
    await prove('sqlite', { kind: 'file', folder })
  }
  if (only !== 'sqlite') {
    const postgres = await startPostgres({ isDurable: true })
    try {
      await prove('postgres', { kind: 'postgres', url: postgres.url })
    } finally {
      await postgres.stop()
    }
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}
console.log(faults === 0 ? 'nothing is wrong' : `${faults} faults`)
if (faults > 0) process.exitCode = 1
