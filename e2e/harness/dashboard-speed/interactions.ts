import type { Browser, Locator, Page } from 'playwright-core'
import { card, taxScreen } from '../tax-journey.ts'
import { openSlowPage, rowOf, type Slowness, type SpeedRow } from './slow-page.ts'

const buildRequest = '/dashboard/admin/build-request'
const usualGoalMs = 100
const keyDelayMs = 60

interface Interaction {
  what: string
  path: string
  goalMs?: number
  /** It ends once what was done is on the screen. */
  act: (page: Page) => Promise<void>
}

/** On a product whose first API has endpoints named "Filled invoice 1" and so on. */
export const interactions: Interaction[] = [
  {
    what: 'typing in a search',
    path: '/dashboard/admin/endpoints',
    act: async (page) => {
      await press(page.getByRole('searchbox', { name: 'Search endpoints' }))
      await page.keyboard.type('filled invoice', { delay: keyDelayMs })
      await page.waitForURL(/search=/)
    },
  },
  {
    what: 'opening a select of endpoints',
    path: taxScreen,
    act: async (page) => {
      await press(card(page, 1).getByRole('combobox'))
      await page.locator('[role=option]').first().waitFor()
    },
  },
  {
    what: 'typing in a body',
    path: taxScreen,
    act: async (page) => {
      await press(card(page, 1).getByRole('textbox', { name: 'Body' }))
      await page.keyboard.type('{"invoice": 12, "lines": [1, 2]}', { delay: keyDelayMs })
      await page.locator('[role=textbox]', { hasText: 'invoice' }).waitFor()
    },
  },
  {
    what: 'opening a dialog',
    path: '/dashboard/admin/endpoints?limit=100',
    act: async (page) => {
      await press(page.getByRole('button', { name: /^Delete/ }).first())
      await page.locator('[role=dialog]').waitFor()
    },
  },
  {
    what: 'choosing access',
    path: '/dashboard/admin/api-permission/edit/2',
    act: async (page) => {
      await press(page.getByRole('treeitem', { level: 2, checked: false }).first())
      await page.locator('button[aria-label^=Remove]').waitFor()
    },
  },
  { what: 'showing 200 mapping rows', path: buildRequest, goalMs: 300, act: showRows },
  {
    what: 'typing in one of 200 mapping rows',
    path: buildRequest,
    goalMs: 50,
    act: async (page) => {
      await showRows(page)
      await press(page.getByLabel('To', { exact: true }).first())
      await forgetTimes(page)
      await page.keyboard.type('.customer.name', { delay: keyDelayMs })
      await page.getByText('"name"').first().waitFor()
    },
  },
]

const rows = Array.from({ length: 200 }, (_, at) => ({ to: `f${at}`, custom_input: `${at}` }))

/** The rows are pasted as JSON; what is measured is the press that shows them as a table. */
async function showRows(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Show JSON' }).click()
  await page.getByRole('textbox', { name: 'Mapping rows as JSON' }).click()
  await page.keyboard.insertText(JSON.stringify(rows))
  await page.getByText('(200 rows)').waitFor()
  await forgetTimes(page)
  await press(page.getByRole('button', { name: 'Show rows' }))
  await page.locator('[data-row]').first().waitFor()
}

const forgetTimes = (page: Page) => page.evaluate('window.interactionTimes.length = 0')

/**
 * Presses the middle of an element, and waits for nothing. A click of the test library looks at the page while the
 * page handles it, and so does a wait by role: that would be measured too.
 */
async function press(locator: Locator): Promise<void> {
  await locator.scrollIntoViewIfNeeded()
  const box = await locator.boundingBox()
  if (!box) throw new Error(`${String(locator)} is not on the screen.`)
  await locator.page().mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

/** The longest interaction of each until its next paint, as INP counts it. In steps of 8 ms. */
export async function measureInteractions(
  browser: Browser,
  url: string,
  rounds: number,
  slowness: Slowness,
): Promise<SpeedRow[]> {
  const rows: SpeedRow[] = []
  for (const { what, path, act, goalMs = usualGoalMs } of interactions) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const page = await openSlowPage(browser, url, { slowness, isSignedIn: true })
      await observeEvents(page)
      await page.goto(path, { waitUntil: 'networkidle' })
      await act(page)
      times.push(await longest(page))
      await page.context().close()
    }
    rows.push(rowOf(what, times, goalMs))
  }
  return rows
}

// As text: its types are those of a browser.
const observeEvents = (page: Page) =>
  page.addInitScript(`
    window.interactionTimes = []
    new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries())
        if (interactionId > 0) window.interactionTimes.push(duration)
    }).observe({ type: 'event', buffered: true, durationThreshold: 16 })`)

/** Entries come in a task after the paint. What is faster than 16 ms has none. */
const longest = (page: Page) =>
  page.evaluate<number>(`new Promise((resolve) =>
    requestAnimationFrame(() =>
      setTimeout(() => resolve(Math.max(0, ...window.interactionTimes)), 200)))`)
