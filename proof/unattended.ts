import { connect } from '../apps/server/src/db/connect.ts'
import {
  killUnattended,
  type BringMoments,
  type UnattendedRun,
} from '../e2e/harness/kill-unattended/kill-unattended.ts'
import { sqliteMoments } from '../e2e/harness/kill-unattended/sqlite-moments.ts'
import { startPostgres } from '../scripts/databases/throwaway-postgres.mjs'

// The long form of e2e/kill-unattended.test.ts: schedules fire and results are reported while one server on
// SQLite, then two that share PostgreSQL, are killed.
// npm run proof unattended -- [kills] [seed] [sqlite | postgres]
const [kills = 200, seed = 1] = process.argv.slice(2, 4).map(Number)
const only = process.argv[4]
let faults = 0

const size = { kills, withinMs: 2_500, elements: 30, seed, settleWithinMs: 180_000 }

async function run(name: string, options: UnattendedRun): Promise<void> {
  const report = await killUnattended(options)
  console.log(name, { ...report, faults: report.faults.length }, report.faults.slice(0, 20))
  faults += report.faults.length
}

if (only !== 'postgres') await run('one server, SQLite', { ...size, bringMoments: sqliteMoments })

if (only !== 'sqlite') {
  const postgres = await startPostgres()
  const db = connect({ kind: 'postgres', url: postgres.url })
  const bringMoments = (): BringMoments => async () => {
    const plannedFor = new Date().toISOString()
    const rows = await db
      .updateTable('schedule')
      .set({ next_run_at: plannedFor })
      .where('next_run_at', '>', plannedFor)
      .returning('id')
      .execute()
    return rows.map(({ id }) => ({ scheduleId: id, plannedFor }))
  }
  try {
    // Away for longer than a lease: the other server continues what it has left.
    const longAwayMs = 65_000
    const { url: databaseUrl } = postgres
    await run('two servers, PostgreSQL', { ...size, bringMoments, databaseUrl, longAwayMs })
  } finally {
    await db.destroy()
    await postgres.stop()
  }
}
console.log(faults === 0 ? 'nothing is wrong' : `${faults} faults`)
if (faults > 0) process.exitCode = 1
