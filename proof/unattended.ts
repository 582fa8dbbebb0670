import { connect, type Db } from '../apps/server/src/db/connect.ts'
import {
  killUnattended,
  type UnattendedRun,
} from '../e2e/harness/kill-unattended/kill-unattended.ts'
import { sqliteSchedules } from '../e2e/harness/kill-unattended/sqlite-schedules.ts'
import type { ScheduleTable } from '../e2e/harness/kill-unattended/schedule-table.ts'
import { startPostgres } from '../scripts/databases/throwaway-postgres.mjs'

// The long form of e2e/runs/kill-unattended.nightly.ts: schedules fire and results are reported while one server on
// SQLite, then two that share PostgreSQL, are killed.
// npm run proof unattended -- [kills] [seed] [sqlite | postgres]
const [kills = 200, seed = 1] = process.argv.slice(2, 4).map(Number)
const only = process.argv[4]
let faults = 0

const size = { kills, withinMs: 2_500, elements: 30, seed, settleWithinMs: 180_000 }

function postgresSchedules(db: Db): ScheduleTable {
  return {
    bringMoments: async () => {
      const plannedFor = new Date().toISOString()
      const rows = await db
        .updateTable('schedule')
        .set({ next_run_at: plannedFor })
        .where('next_run_at', '>', plannedFor)
        .returning('id')
        .execute()
      return rows.map(({ id }) => ({ scheduleId: id, plannedFor }))
    },
    countBegun: async (server) => {
      const rows = await db
        .selectFrom('schedule_firing as firing')
        .innerJoin('schedule_item as item', 'item.firing_id', 'firing.id')
        .select('firing.id')
        .distinct()
        .where('firing.state', '=', 'running')
        .where('firing.lease_owner', '=', server)
        .execute()
      return rows.length
    },
  }
}

async function run(name: string, options: UnattendedRun): Promise<void> {
  const report = await killUnattended(options)
  console.log(name, { ...report, faults: report.faults.length }, report.faults.slice(0, 20))
  faults += report.faults.length
}

if (only !== 'postgres') await run('one server, SQLite', { ...size, schedules: sqliteSchedules })

if (only !== 'sqlite') {
  const postgres = await startPostgres()
  const db = connect({ kind: 'postgres', url: postgres.url })
  const schedules = () => postgresSchedules(db)
  try {
    // Away for longer than a lease: the other server continues what it has left.
    const longAwayMs = 65_000
    const { url: databaseUrl } = postgres
    await run('two servers, PostgreSQL', { ...size, schedules, databaseUrl, longAwayMs })
  } finally {
    await db.destroy()
    await postgres.stop()
  }
}
console.log(faults === 0 ? 'nothing is wrong' : `${faults} faults`)
if (faults > 0) process.exitCode = 1
