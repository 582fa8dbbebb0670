import { beforeAll, expect, it } from 'vitest'
import { sampleProduct } from '../harness/dashboard-speed/sample-product.ts'
import { firstLoads, measureFirstLoads } from '../harness/dashboard-speed/first-loads.ts'
import { interactions, measureInteractions } from '../harness/dashboard-speed/interactions.ts'
import { startJourney } from '../harness/journey.ts'

// The short form of `npm run bench dashboard`: everything is measured once, as fast as this machine is.
// No time is held against a goal here.

const journey = startJourney()
const speedMaxMs = 300_000
const asFast = { cpu: 1 }

beforeAll(() => sampleProduct(journey.url, 60))

it(
  'measures the first load of each screen',
  async () => {
    const rows = await measureFirstLoads(journey.browser, journey.url, 1, asFast)
    expect(rows).toHaveLength(firstLoads.length)
    for (const row of rows) expect(row['median, ms'], row.what).toBeGreaterThan(0)
  },
  speedMaxMs,
)

it(
  'measures the longest interaction of each kind',
  async () => {
    const rows = await measureInteractions(journey.browser, journey.url, 1, asFast)
    expect(rows.map(({ what }) => what)).toEqual(interactions.map(({ what }) => what))
    expect(rows.every((row) => row['median, ms'] >= 0)).toBe(true)
    // One that draws much takes more than a frame, on any machine.
    expect(Math.max(...rows.map((row) => row['median, ms']))).toBeGreaterThan(0)
  },
  speedMaxMs,
)
