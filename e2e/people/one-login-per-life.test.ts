import { describe, expect, it } from 'vitest'
import { foundPrograms } from '../../scripts/set-up/programs.mjs'
import { startPostgres } from '../../scripts/databases/throwaway-postgres.mjs'
import { callThroughLives } from '../harness/one-login-per-life.ts'

// The short form of `npm run proof one-login-per-life`.

const hasPostgres = foundPrograms()['GATEHOUSE_TEST_POSTGRES_BIN'] !== undefined

describe.skipIf(!hasPostgres)('the workers of two servers on one PostgreSQL', () => {
  it('sign in once per life of a token, and no call is refused', async () => {
    const postgres = await startPostgres()
    try {
      const { logins, loginsMax, ...report } = await callThroughLives({
        databaseUrl: postgres.url,
        calls: 400,
        burst: 10,
        lifeSeconds: 5,
        spanSeconds: 9,
        workersPerServer: 2,
        graceMs: 1_000,
      })
      expect(report).toMatchObject({
        statuses: { 200: 400 },
        loginsAtOnce: 1,
        refusedCalls: 0,
        workers: 4,
      })
      expect(logins).toBeGreaterThan(1)
      expect(logins).toBeLessThanOrEqual(loginsMax)
    } finally {
      await postgres.stop()
    }
  })
})
