import {
  faceHostileAuthorities,
  faultsOf,
  type HostileWorkflowsRun,
} from '../e2e/harness/hostile-workflows/hostile-workflows.ts'
import { sendAllWithoutGuards } from '../e2e/harness/hostile-workflows/without-guards.ts'
import { startPostgres } from '../scripts/databases/throwaway-postgres.mjs'

// The long form of the test of hostile authorities and workflows: a batch and 16 machines, 60 SIGKILLs on
// one server with SQLite, then 30 of each of two that share PostgreSQL.
// npm run proof workflows -- [inputs of the batch] [kills] [seed] [sqlite | postgres]
const [inputs = 5_000, kills = 60, seed = 1] = process.argv.slice(2, 5).map(Number)
const only = process.argv[5]

const size: HostileWorkflowsRun = {
  inputs,
  callers: 16,
  documents: 40,
  pauseMs: 6_000,
  kills,
  killWithinMs: 6_000,
  outage: { afterMs: 20_000, forMs: 120_000 },
  limits: {
    careless: { per_second: 40, per_minute: 1_500, per_hour: 20_000 },
    careful: { per_second: 10, per_minute: 180 },
    later: { per_second: 6 },
    moody: { per_second: 5, per_minute: 150, per_hour: 80 },
  },
  seed,
  settleWithinMs: 600_000,
}

const duplicates = await sendAllWithoutGuards(100, seed)
console.log(`without guards: ${duplicates} of 300 documents were accepted more than once`)
let faults = duplicates === 0 ? 1 : 0

const run = async (name: string, options: HostileWorkflowsRun) => {
  const report = await faceHostileAuthorities(options)
  console.log(name, report)
  faults += faultsOf(report).length
}

if (only !== 'postgres') await run('one server, SQLite', size)
if (only !== 'sqlite') {
  const postgres = await startPostgres()
  try {
    await run('two servers, PostgreSQL', {
      ...size,
      kills: Math.ceil(kills / 2),
      killWithinMs: 2 * size.killWithinMs,
      // Longer than a lease: the other server takes over what it has left.
      longAwayMs: 40_000,
      databaseUrl: postgres.url,
    })
  } finally {
    await postgres.stop()
  }
}
console.log(faults === 0 ? 'nothing is wrong' : `${faults} faults`)
if (faults > 0) process.exitCode = 1
