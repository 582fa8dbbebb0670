import { expect, it } from 'vitest'
import { startFuzzedGateway } from './testing/fuzzed-gateway.ts'
import { sendRandomMessages } from './testing/random-messages.ts'

it('random messages never make a fault of ours, nor end the worker', async () => {
  const { post, check } = await startFuzzedGateway()
  const seen = await sendRandomMessages(post, 400)
  expect(seen.get(200)).toBeGreaterThan(100)
  await check()
})
