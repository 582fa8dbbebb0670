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
