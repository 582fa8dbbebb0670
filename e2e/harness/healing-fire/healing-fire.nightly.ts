import { expect, test } from 'vitest'
import { faceHealingFire } from './healing-fire.ts'
import { fireWithoutGuards } from './without-guards.ts'

// The short form of `npm run proof healing`.

test('the authorities do accept documents twice from a client that just sends again', async () => {
  expect(await fireWithoutGuards(60, 1)).toBeGreaterThan(0)
})

test('over SIGKILLs and two restores each document is settled once, without a person', async () => {
  const report = await faceHealingFire({
    documents: 180,
    kills: 3,
    killWithinMs: 2_000,
    pauseMs: 20,
    seed: 3,
    settleWithinMs: 120_000,
  })
  expect(report).toMatchObject({ acceptedTwice: [], lost: [], wrong: [], restores: 2 })
  expect(report.kills).toBe(3)
})
