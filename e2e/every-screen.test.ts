import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { settle } from './harness/open-as.ts'
import { findScreens, seedScreens } from './harness/seed-screens.ts'
import { startTaxJourney } from './harness/tax-journey.ts'

// Every screen that a link of the menu, or of one of its screens, leads to. Of records of one kind it is the first.

const journey = startTaxJourney()
const screensMaxMs = 600_000
// The menu is another one from the second list on.
const widths = [
  [1440, 1024, 768],
  [390, 320],
]

let screens: string[]
beforeAll(async () => {
  await seedScreens(journey)
  screens = await findScreens(journey.page)
}, screensMaxMs)

const isNarrowEnough = `document.documentElement.scrollWidth <= document.documentElement.clientWidth`
const widest = `(() => {
  const { clientWidth, scrollWidth } = document.documentElement
  const first = [...document.querySelectorAll('main *')].find(
    (element) => element.getBoundingClientRect().right > clientWidth,
  )
  return scrollWidth - clientWidth + ' px: ' + (first?.className ?? '') + ' ' + first?.textContent.slice(0, 60)
})()`

/** What reaches beyond the right edge of the page; undefined where nothing does. */
async function overflowOf(page: Page): Promise<string | undefined> {
  try {
    // What measures itself draws once more after the window has become narrow.
    await page.waitForFunction(isNarrowEnough, undefined, { timeout: 2_000 })
    return undefined
  } catch {
    return page.evaluate<string>(widest)
  }
}

/** Whatever the screen still fetches has come. */
async function open(page: Page, screen: string): Promise<void> {
  await page.goto(screen)
  await settle(page)
  await page.locator('[data-stale]').first().waitFor({ state: 'detached' })
}

it('there are screens of every part', () => {
  expect(screens.length).toBeGreaterThan(40)
})

it(
  'no screen is wider than its window',
  async () => {
    const { page } = journey
    const problems: string[] = []
    for (const screen of screens)
      for (const group of widths) {
        await page.setViewportSize({ width: group[0] ?? 0, height: 900 })
        await open(page, screen)
        for (const width of group) {
          await page.setViewportSize({ width, height: 900 })
          const overflow = await overflowOf(page)
          if (overflow !== undefined) problems.push(`${screen} at ${width}: ${overflow}`)
        }
      }
    await page.setViewportSize({ width: 1440, height: 900 })
    expect(problems).toEqual([])
  },
  screensMaxMs,
)

/** The last cell of the first row: where it is, what it and its row are painted with, and its edge. */
const lastCell = `(() => {
  const row = document.querySelector('tbody tr')
  const cell = row.lastElementChild
  const frame = row.closest('table').parentElement
  const edge = getComputedStyle(cell, '::before')
  return {
    distance: Math.round(frame.getBoundingClientRect().right - cell.getBoundingClientRect().right),
    ground: getComputedStyle(cell).backgroundColor,
    rowGround: getComputedStyle(row).backgroundColor,
    hasEdge: edge.content !== 'none' && edge.backgroundImage.includes('gradient'),
  }
})()`
interface LastCell {
  distance: number
  ground: string
  rowGround: string
  hasEdge: boolean
}

it.each(['light', 'dark'])(
  'the last column stays in sight over others, with an edge while there are some under it: %s',
  async (scheme) => {
    const { page } = journey
    await page.mouse.move(0, 0)
    await page.emulateMedia({ colorScheme: scheme === 'dark' ? 'dark' : 'light' })
    await open(page, '/dashboard/admin/endpoints')
    expect((await page.evaluate<LastCell>(lastCell)).hasEdge).toBe(false)
    await page.addStyleTag({ content: 'td * { white-space: nowrap; overflow-wrap: normal }' })
    await page.locator('[data-cut] table').waitFor()
    const cut = await page.evaluate<LastCell>(lastCell)
    expect(cut).toMatchObject({ distance: 0, hasEdge: true })
    expect(cut.ground).toBe(cut.rowGround)
    expect(cut.ground).toMatch(/^rgb\(/)
    // Its first cell: the middle of the row may be under the last one.
    await page.locator('tbody tr td').first().hover()
    await page.locator('tbody tr:hover').waitFor()
    // The colour is painted a frame after the row is hovered.
    const ground = async () => (await page.evaluate<LastCell>(lastCell)).ground
    await expect.poll(ground).not.toBe(cut.ground)
    const hovered = await page.evaluate<LastCell>(lastCell)
    expect(hovered.ground).toBe(hovered.rowGround)
    await page.locator('[data-cut]').evaluate((frame) => frame.scrollTo(frame.scrollWidth, 0))
    await page.locator('[data-cut]').waitFor({ state: 'detached' })
    expect(await page.evaluate<LastCell>(lastCell)).toMatchObject({ distance: 0, hasEdge: false })
  },
)
