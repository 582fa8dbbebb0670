import { expect, test } from 'vitest'
import { killUnattended } from '../harness/kill-unattended/kill-unattended.ts'
import { sqliteSchedules } from '../harness/kill-unattended/sqlite-schedules.ts'

// The short form of `npm run proof unattended`.

test('over SIGKILLs each moment fires once, each element is one run, and each result arrives in order', async () => {
  const report = await killUnattended({
    kills: 4,
    withinMs: 1_500,
    elements: 20,
    seed: 3,
    schedules: sqliteSchedules,
    settleWithinMs: 60_000,
  })
  expect(report.faults).toEqual([])
  // The kills came where they count.
  expect(report.takenAgain).toBeGreaterThan(0)
  expect(report.resumed).toBeGreaterThan(0)
})
