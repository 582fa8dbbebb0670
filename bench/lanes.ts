import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../scripts/databases/throwaway-postgres.mjs'
import { measureLanes } from './runs/measure-lanes.ts'

// How long it takes to claim a run from a lane in which 100,000 others are queued (spec: workflow-proof).

const [queued = 100_000] = process.argv.slice(2).map(Number)
const goalMs = 5

const folder = mkdtempSync(join(os.tmpdir(), 'gatehouse-bench-lanes-'))
const tables = { SQLite: await measureLanes({ kind: 'file', folder }, queued) }
rmSync(folder, { recursive: true })
const postgres = await startPostgres({ isDurable: true }).catch((error: Error) => {
  console.log(error.message)
})
if (postgres) {
  Object.assign(tables, {
    PostgreSQL: await measureLanes({ kind: 'postgres', url: postgres.url }, queued),
  })
  await postgres.stop()
}
for (const [name, table] of Object.entries(tables)) {
  console.log(name)
  console.table(table)
  if (table.some((row) => row['claim, p50 ms'] > goalMs)) process.exitCode = 1
}
