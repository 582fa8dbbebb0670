import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { barriersOf } from '../harness/barriers.ts'
import { closePage, newPage, openBrowser, signInByCall } from '../harness/open-browser.ts'
import { startOwnJourney } from '../harness/journey.ts'
import { settle, showScreen } from '../harness/open-as.ts'
import { findScreens, seedScreens } from '../harness/seed-screens.ts'
import { startTaxJourney } from '../harness/tax-journey.ts'

// Every screen that a link of the menu, or of one of its screens, leads to. Of records of one kind it is the first.

// Its page lives for minutes, and earns what the compilers cost that optimise.
const journey = startTaxJourney(startOwnJourney({}, () => openBrowser()))
afterAll(() => journey.browser?.close())
const screensMaxMs = 1_200_000

let screens: string[]
const missing: string[] = []
const barriers: string[] = []
const overflows: string[] = []
beforeAll(async () => {
  const named = await seedScreens(journey)
  const { page } = journey
  const look = async (screen: string) => {
    if (await page.getByText('This page does not exist').isVisible()) missing.push(screen)
    const { pathname } = new URL(page.url())
    if (!partOfApi(pathname).startsWith(partOfApi(screen))) missing.push(`${screen} is ${pathname}`)
    await openPanels(page)
    barriers.push(...(await barriersOf(page, ['light'])).map((found) => `${screen}: ${found}`))
    // The last ones as a window that is made narrower.
    overflows.push(...(await overflowsOf(page, screen, [1440, 1024, 768, 390, 320])))
  }
  screens = await findScreens(page, named, look, showScreen)
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
    // In the first frame the page is as wide as the window already, and laid out by the media queries of before.
    // What measures itself draws once more.
    await page.waitForFunction(isNarrowEnough)
    return undefined
  } catch {
    return page.evaluate<string>(widest)
  }
}

/** Leaves the window as wide as it was. */
async function overflowsOf(
  page: Page,
  screen: string,
  widths: readonly number[],
): Promise<string[]> {
  const found: string[] = []
  const before = page.viewportSize() ?? { width: 1440, height: 900 }
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    const overflow = await overflowOf(page)
    if (overflow !== undefined) found.push(`${screen} at ${width}: ${overflow}`)
  }
  await page.setViewportSize(before)
  return found
}

/** An API is shown by the first of its parts that the user may see: its form, which has another address. */
const partOfApi = (path: string) => path.replace('/api/edit/', '/apis/')

/** What is behind them is of the screen, too. */
async function openPanels(page: Page): Promise<void> {
  for (const panel of await page.locator('main summary').all()) {
    // One that is open already may hold others; of the steps of a workflow one alone is shown.
    if (await panel.evaluate((each) => each.parentElement?.hasAttribute('open'))) continue
    if (!(await panel.isVisible())) continue
    await panel.click()
    await settle(page)
  }
}

it('there are screens of every part, and no link leads astray', () => {
  expect(screens.length).toBeGreaterThan(40)
  expect(missing).toEqual([])
})

it('no screen keeps people out: WCAG 2.2 A and AA', () => {
  expect(barriers).toEqual([])
})

it('no screen is wider than its window', () => {
  expect(overflows).toEqual([])
})

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
    await page.reload()
    await showScreen(page, '/dashboard/admin/endpoints')
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

it(
  'in Arabic and in the dark no screen keeps people out, and none is wider than its window',
  async () => {
    const { page } = await newPage(journey.browser, journey.url)
    // So high that the bar of a form lies on nothing: a target that it covers in part is too small.
    await page.setViewportSize({ width: 390, height: 6_000 })
    await page.addInitScript(() => localStorage.setItem('gatehouse-language', 'ar'))
    await signInByCall(page)
    await page.locator('html[dir=rtl]').waitFor()
    const problems: string[] = []
    for (const screen of screens) {
      await showScreen(page, screen)
      problems.push(...(await barriersOf(page, ['dark'])).map((found) => `${screen}: ${found}`))
      problems.push(...(await overflowsOf(page, screen, [390, 320, 1440])))
    }
    await closePage(page)
    expect(problems).toEqual([])
  },
  screensMaxMs,
)
