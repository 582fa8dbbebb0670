import { afterAll, beforeAll, expect, it } from 'vitest'
import { longestTurnMs, turnMaxMs } from '../../../../test/time/longest-turn.ts'
import { startMachineServer, type MachineServer } from '../../../../test/servers/machine-server.ts'

// One large input must not hold up the calls of others; see event-loop.alone.test.ts.

let app: MachineServer
let slug: string
let token: string
beforeAll(async () => {
  app = await startMachineServer()
  const flow = await app.workflow([{ endpointId: await app.endpoint(), text: '{}' }], {
    lane: { is_paused: 1 },
    definition: { reference_path: 'no' },
  })
  slug = flow.slug
  ;({ token } = await app.machine(flow))
})
afterAll(() => app.close())

/** Some 1 MB in 12,000 lines. */
const invoice = (no: string) => ({
  no,
  lines: Array.from({ length: 12_000 }, (_, index) => ({
    sku: `x${index}`,
    quantity: index,
    price: index / 7,
    text: 'some text of a line',
  })),
})

it('an input of 1 MB holds the event loop for less than 50 ms', async () => {
  const [first, second] = ['INV-1', 'INV-2'].map((no) => Buffer.from(JSON.stringify(invoice(no))))
  expect(first!.length).toBeGreaterThan(1_000_000)
  expect(first!.length).toBeLessThan(1_048_576)
  expect((await app.start(slug, token, first)).status).toBe(202)
  const longest = await longestTurnMs(async () => {
    expect((await app.start(slug, token, second)).status).toBe(202)
  })
  expect(longest).toBeLessThan(turnMaxMs)
})
