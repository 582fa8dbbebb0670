import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { settle } from './harness/open-as.ts'
import { signIn } from './harness/run-product.ts'
import { startTaxJourney } from './harness/tax-journey.ts'

// Every screen that a link of the menu, or of one of its screens, leads to. Of records of one kind it is the first.

const journey = startTaxJourney()
const screensMaxMs = 600_000
// The menu is another one from the second list on.
const widths = [
  [1440, 1024, 768],
  [390, 320],
]
const longName = 'An interface with a name that is as long as authorities like them to be'

let screens: string[]
beforeAll(async () => {
  const call = await signIn(journey.url)
  const end_point = journey.endpoints['File an invoice']
  const body = JSON.stringify({ reference: 'INV-2026-0001'.repeat(5), total: '1250.00' })
  await call('POST', '/api/tax', { endpoint_1: { end_point, body } })
  const endpoint = {
    api_id: 1,
    method_type: 'delete',
    status: 'active',
    path: `/${'a-segment-without-an-end/'.repeat(5)}{reference}`,
    summery: longName,
    description: longName.repeat(2),
    enable_custom_output: 0,
    custom_output: '',
    authentication: 0,
  }
  await call('POST', '/api/endpoint', endpoint)
  // Enough for lists that scroll.
  for (let at = 0; at < 40; at++)
    await call('POST', '/api/endpoint', { ...endpoint, method_type: 'get', path: `/many/${at}` })
  await call('POST', '/admin/token/store', { name: longName, user: 1 })
  await call('POST', '/api/workflows', {
    name: longName,
    slug: 'long-name',
    kind: 'general',
    status: 'active',
    description: longName,
    input_schema: null,
    sample_input: null,
    reference_path: '',
    order_key_path: '',
    lane: { name: 'Authority' },
    steps: [{ endpoint_id: end_point, body: { kind: 'template', text: '{}' }, condition: null }],
    callback: null,
  })
  screens = await findScreens(journey.page)
}, screensMaxMs)

async function findScreens(page: Page): Promise<string[]> {
  const kinds = new Map<string, string>()
  const waiting = ['/dashboard']
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const kind = path.replaceAll(/\d+/g, '#')
    if (kinds.has(kind)) continue
    kinds.set(kind, path)
    await page.goto(path)
    await settle(page)
    const links = await page
      .locator('a[href^="/dashboard"]')
      .evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''))
    waiting.push(...links.map((link) => link.replace(/[?#].*/, '')))
  }
  // The first role is the one whose access can't be changed.
  return [...kinds.values(), '/dashboard/admin/api-permission/edit/2']
}

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
