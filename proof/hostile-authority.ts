import { faceHostileAuthority } from '../e2e/harness/hostile-authority/hostile-authority.ts'
import { sendWithoutGuards } from '../e2e/harness/hostile-authority/without-guards.ts'
import { startPostgres } from '../scripts/databases/throwaway-postgres.mjs'

// The long form of the test of the same name: nothing accepted is sent twice, nothing is lost, nothing
// is shown wrong, over 60 SIGKILLs and 1,000 invoices on one server, then on two that share PostgreSQL.
const seed = Number(process.argv[2] ?? 1)
const size = { invoices: 1_000, kills: 60, clerks: 8, seed }

const duplicates = await sendWithoutGuards(100, seed)
console.log(`without guards: ${duplicates} of 100 invoices were accepted more than once`)

const reports = [await faceHostileAuthority(size)]
console.log('one server, SQLite', reports[0])
const postgres = await startPostgres()
try {
  const report = await faceHostileAuthority({ ...size, kills: 30, databaseUrl: postgres.url })
  console.log('two servers, PostgreSQL', report)
  reports.push(report)
} finally {
  await postgres.stop()
}

const isBroken = reports.some(
  ({ acceptedTwice, lost, wrong }) => acceptedTwice.length + lost.length + wrong.length > 0,
)
if (isBroken || duplicates === 0) process.exitCode = 1
