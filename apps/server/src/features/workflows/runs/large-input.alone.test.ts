import { afterAll, beforeAll, expect, it } from 'vitest'
import { startMachineServer, type MachineServer } from '../../../../test/machine-server.ts'

// One large input must not hold up the calls of others; see event-loop.alone.test.ts.

const turnMaxMs = 50

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

/** The CPU time of this thread's longest turn, in ms, while the work goes on. */
async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isOver = false
  let since = process.threadCpuUsage()
  const turn = () => {
    const { user, system } = process.threadCpuUsage(since)
    longest = Math.max(longest, (user + system) / 1000)
    since = process.threadCpuUsage()
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  try {
    await work()
  } finally {
    isOver = true
  }
  await new Promise((resolve) => setImmediate(resolve))
  return longest
}

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
