import type { Browser, Page } from 'playwright-core'
import { openSlowPage, rowOf, type Slowness, type SpeedRow } from './slow-page.ts'

export const firstLoads = [
  { what: 'login', path: '/api/login/react', shows: 'button[type=submit]', goalMs: 1500 },
  { what: 'endpoints', path: '/dashboard/admin/endpoints', shows: 'tbody tr', goalMs: 2200 },
  { what: 'APIs', path: '/dashboard/admin/apis', shows: 'tbody tr', goalMs: 2200 },
  { what: 'users', path: '/dashboard/admin/user', shows: 'tbody tr', goalMs: 2200 },
]

/** The largest contentful paint of each screen, each time in a browser that has loaded nothing before. */
export async function measureFirstLoads(
  browser: Browser,
  url: string,
  rounds: number,
  slowness: Slowness,
): Promise<SpeedRow[]> {
  const rows: SpeedRow[] = []
  for (const { what, path, shows, goalMs } of firstLoads) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const page = await openSlowPage(browser, url, { slowness, isSignedIn: what !== 'login' })
      await observePaints(page)
      await page.goto(path)
      await page.locator(shows).first().waitFor()
      await page.waitForLoadState('networkidle')
      times.push(await page.evaluate<number>('window.largestPaint ?? NaN'))
      await page.context().close()
    }
    rows.push(rowOf(`first load: ${what}`, times, goalMs))
  }
  return rows
}

// As text: its types are those of a browser.
const observePaints = (page: Page) =>
  page.addInitScript(`
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) window.largestPaint = startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })`)
