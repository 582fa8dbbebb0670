import { callThroughLives } from '../e2e/harness/one-login-per-life.ts'
import { startPostgres } from '../scripts/databases/throwaway-postgres.mjs'

// The long form of the test of the same name: 10,000 calls by the 8 workers of two servers on one
// PostgreSQL, over five lives of a token, sign in once per life, and none is refused.
const postgres = await startPostgres()
try {
  const report = await callThroughLives({
    databaseUrl: postgres.url,
    calls: 10_000,
    burst: 100,
    lifeSeconds: 20,
    spanSeconds: 100,
    workersPerServer: 4,
    graceMs: 0,
  })
  console.log(report)
  const { statuses, logins, loginsMax, loginsAtOnce, refusedCalls } = report
  const isRefused = refusedCalls > 0 || statuses['200'] !== report.calls
  if (isRefused || logins > loginsMax || loginsAtOnce > 1) process.exitCode = 1
} finally {
  await postgres.stop()
}
