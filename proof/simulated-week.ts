import { spawnSync } from 'node:child_process'
import { faultsOf } from '../apps/server/test/simulated-week/judge-week.ts'
import { simulateWeek } from '../apps/server/test/simulated-week/simulate-week.ts'
import { logOf } from '../apps/server/test/simulated-week/week-log.ts'
import { startPostgres } from '../scripts/databases/throwaway-postgres.mjs'

// The long form of the test of the same name: a week with outages, servers that are away, a changed clock, and
// daylight saving in both directions. Two servers share SQLite, then, in a second process, PostgreSQL.

const isSecond = process.env['TEST_DATABASE_URL'] !== undefined
const report = await simulateWeek()
const faults = faultsOf(report)
console.log(`two servers, ${isSecond ? 'PostgreSQL' : 'SQLite'}\n\n${logOf(report)}\n`)
console.log(faults.length === 0 ? 'nothing is wrong' : faults.join('\n'))
if (faults.length > 0) process.exitCode = 1

if (!isSecond) {
  const postgres = await startPostgres()
  try {
    const env = { ...process.env, TEST_DATABASE_URL: postgres.url }
    const second = spawnSync(process.execPath, process.argv.slice(1), { env, stdio: 'inherit' })
    if (second.status !== 0) process.exitCode = 1
  } finally {
    await postgres.stop()
  }
}
