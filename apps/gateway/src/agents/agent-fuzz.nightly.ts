import { expect, it } from 'vitest'
import { startFuzzedGateway } from './testing/fuzzed-gateway.ts'
import { sendRandomMessages } from './testing/random-messages.ts'

it('10,000 random messages never make a fault of ours, nor end the worker', async () => {
  const { post, check } = await startFuzzedGateway()
  const seen = await sendRandomMessages(post, 10_000)
  // The search is of no use where every message is refused.
  expect(seen.get(200)).toBeGreaterThan(1_000)
  await check()
}, 600_000)
