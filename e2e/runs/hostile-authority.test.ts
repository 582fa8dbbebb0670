import { expect, test } from 'vitest'
import { faceHostileAuthority } from '../harness/hostile-authority/hostile-authority.ts'
import { sendWithoutGuards } from '../harness/hostile-authority/without-guards.ts'

// The short form of `npm run proof hostile-authority`.

test('the authority does accept documents twice from a client that just sends again', async () => {
  expect(await sendWithoutGuards(30, 1)).toBeGreaterThan(0)
})

test('over SIGKILLs nothing accepted is sent twice, nothing is lost, nothing is shown wrong', async () => {
  const report = await faceHostileAuthority({ invoices: 48, kills: 4, clerks: 6, seed: 2 })
  expect(report).toMatchObject({ acceptedTwice: [], lost: [], wrong: [] })
  expect(report.states).toEqual({ succeeded: report.invoices })
})
