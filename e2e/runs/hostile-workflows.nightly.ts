import { expect, test } from 'vitest'
import { faceHostileAuthorities } from '../harness/hostile-workflows/hostile-workflows.ts'
import { sendAllWithoutGuards } from '../harness/hostile-workflows/without-guards.ts'

// The short form of `npm run proof workflows`.

test('the authorities do accept documents twice from a client that just sends again', async () => {
  expect(await sendAllWithoutGuards(15, 1)).toBeGreaterThan(0)
})

test('over SIGKILLs machines and a batch get each document accepted once, in order, within the limits', async () => {
  const report = await faceHostileAuthorities({
    inputs: 150,
    callers: 4,
    documents: 8,
    pauseMs: 1_000,
    kills: 4,
    killWithinMs: 1_500,
    outage: { afterMs: 3_000, forMs: 3_000 },
    limits: {
      careless: { per_second: 25, per_minute: 600, per_hour: 5_000 },
      careful: { per_second: 6, per_minute: 15 },
      later: { per_second: 5 },
      moody: { per_second: 3, per_hour: 6 },
    },
    seed: 2,
    settleWithinMs: 60_000,
  })
  expect(report).toMatchObject({
    acceptedTwice: [],
    lost: [],
    wrong: [],
    outOfOrder: [],
    limitsPassed: [],
    repeated: [],
  })
  expect(report.kills).toBe(4)
})
