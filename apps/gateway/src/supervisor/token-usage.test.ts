import { noTokenLimits } from '@gatehouse/contract/gateway'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { buildToken, clientToken } from '../testing/build-snapshot.ts'
import type { Fleet } from './fleet.ts'
import { openHarness, snapshotOf, type Harness } from './testing/fleet-harness.ts'

let harness: Harness
beforeEach(() => {
  harness = openHarness()
})
afterEach(() => harness.end())

const perMonth = 5
const usageOf = (today: number) => ({
  token_id: 1,
  day: new Date().toISOString().slice(0, 10),
  today,
  this_month: today,
})

async function ask({ address }: Fleet): Promise<number> {
  const headers = { authorization: `Bearer ${clientToken}`, connection: 'close' }
  return (await fetch(`http://127.0.0.1:${address.port}/t/ping`, { headers })).status
}

it('every worker keeps to what all have used, also one that starts later', async () => {
  const fleet = harness.start({ size: 2 })
  const snapshot = snapshotOf(1)
  const quota = { per_day: null, per_month: perMonth }
  await fleet.publish({
    ...snapshot,
    apis: snapshot.apis.map((api) => ({ ...api, requires_token: true })),
    tokens: [buildToken({ limits: { ...noTokenLimits, quota } })],
    access: [{ role_id: 2, endpoint_ids: [1] }],
  })
  await fleet.ready()
  expect(await ask(fleet)).toBe(200)
  fleet.setTokenUsage([usageOf(perMonth)])
  // It reaches the workers a moment later.
  await vi.waitFor(async () => expect(await ask(fleet)).toBe(429))
  await fleet.rollingRestart()
  for (let each = 0; each < 10; each++) expect(await ask(fleet)).toBe(429)
})
